import { tasksOf } from './task.js'

export const readTasks = tasksOf('read', 'read_document', [
  ['Show me what is written in notes/plan.md.', { path: 'notes/plan.md' }],
  ['Open the file budget.csv and tell me the total in its last row.', { path: 'budget.csv' }],
  ['What does line 120 of logs/server.log say?', { path: 'logs/server.log', from: 120 }],
  ['Read README.txt to me.', { path: 'README.txt' }],
  ['I need the whole text of letters/anna.txt.', { path: 'letters/anna.txt' }],
  ['Show me report.md from line 200 on.', { path: 'report.md', from: 200 }],
  ['Summarise contracts/rent.txt in two sentences.', { path: 'contracts/rent.txt' }],
  ['What are the first 20 lines of data/cities.csv?', { path: 'data/cities.csv', lines: 20 }],
])
