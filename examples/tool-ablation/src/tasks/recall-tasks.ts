import { tasksOf } from './task.js'

export const recallTasks = tasksOf('recall', 'recall_result', [
  ['Show me again what the last program printed; do not run it again.', { result: 'run_program' }],
  ['Which results of earlier calls are stored?'],
  ['Give me the result of the last file search again, without searching anew.', { result: 'find_documents' }],
  [
    'What did the earlier read give back? Take the stored result, the file may have changed.',
    { result: 'read_document' },
  ],
  ['Show the stored result run_program-4de45f96.txt.', { result: 'run_program-4de45f96.txt' }],
  [
    'Continue with line 41 of the stored result find_documents-1a2b3c4d.txt.',
    { result: 'find_documents-1a2b3c4d.txt', from: 41 },
  ],
  ['Which files did the last rename change? It is in the stored results.', { result: 'rename_documents' }],
  [
    'Bring back the stored output of the previous program from line 80 on.',
    { result: 'run_program', from: 80 },
  ],
])
