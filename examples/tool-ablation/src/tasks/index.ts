import { findTasks } from './find-tasks.js'
import { readTasks } from './read-tasks.js'
import { recallTasks } from './recall-tasks.js'
import { renameTasks } from './rename-tasks.js'
import { runTasks } from './run-tasks.js'
import type { Task } from './task.js'

export type { Task } from './task.js'

/** 40 requests, eight for each real tool. */
export const tasks: readonly Task[] = [
  ...readTasks,
  ...findTasks,
  ...renameTasks,
  ...runTasks,
  ...recallTasks,
]
