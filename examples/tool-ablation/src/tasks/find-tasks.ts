import { tasksOf } from './task.js'

export const findTasks = tasksOf('find', 'find_documents', [
  ['Which markdown files are there?', { pattern: '*.md' }, { pattern: '**/*.md' }],
  [
    'Which files are in the folder archive?',
    { folder: 'archive' },
    { pattern: 'archive/*' },
    { pattern: 'archive/**' },
  ],
  ['Which of my documents mention the word insurance?', { text: 'insurance' }],
  ['Is there a file whose name begins with invoice?', { pattern: 'invoice*' }, { pattern: 'invoice*.*' }],
  [
    'List all PDF files in the folder contracts.',
    { pattern: '*.pdf', folder: 'contracts' },
    { pattern: 'contracts/*.pdf' },
  ],
  ['In which document did I write about the birthday of Marta?'],
  ['What kinds of files do I have here, and how many of each?'],
  ['I do not know its name: where is the document that contains "final offer"?', { text: 'final offer' }],
])
