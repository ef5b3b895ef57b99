import { tasksOf } from './task.js'

export const runTasks = tasksOf('run', 'run_program', [
  ['Count the words in notes/plan.md with wc.', { program: 'wc', files: ['notes/plan.md'] }],
  ['Compare old.txt and new.txt with the program diff.', { program: 'diff', files: ['old.txt', 'new.txt'] }],
  ['Compress letters.txt with gzip.', { program: 'gzip', files: ['letters.txt'] }],
  ['How many lines has logs/server.log? Let wc count them.', { program: 'wc', files: ['logs/server.log'] }],
  ['Use sort to print the lines of names.txt in order.', { program: 'sort', files: ['names.txt'] }],
  ['What is the SHA-256 checksum of backup.tar?', { program: 'sha256sum', files: ['backup.tar'] }],
  ['What are the differences between v1.md and v2.md?', { program: 'diff', files: ['v1.md', 'v2.md'] }],
  ['Run sort with the option -u on words.txt.', { program: 'sort', options: ['-u'], files: ['words.txt'] }],
])
