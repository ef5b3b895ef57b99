import { tasksOf } from './task.js'

export const renameTasks = tasksOf('rename', 'rename_documents', [
  ['Change the name of draft.txt to final.txt.', { pattern: 'draft.txt', to: 'final.txt' }],
  ['All .txt files should end in .md instead.', { pattern: '*.txt', to: '*.md' }],
  ['Call scan001.pdf rent-contract.pdf from now on.', { pattern: 'scan001.pdf', to: 'rent-contract.pdf' }],
  [
    'Files named IMG_ something .jpg should be named photo- something .jpg.',
    { pattern: 'IMG_*.jpg', to: 'photo-*.jpg' },
  ],
  ['Give todo.md the new name done.md.', { pattern: 'todo.md', to: 'done.md' }],
  ['Put "old-" in front of the name of every csv file.', { pattern: '*.csv', to: 'old-*.csv' }],
  ['Rename report.docx to report-2024.docx.', { pattern: 'report.docx', to: 'report-2024.docx' }],
  [
    'There is a typing error in the name recipies.txt: it should be recipes.txt.',
    { pattern: 'recipies.txt', to: 'recipes.txt' },
  ],
])
