import type { AnyTool } from '@icm/tool-registry'
import { checkDecoys } from './checks.js'
import { codeDecoys } from './codes.js'
import { dateDecoys } from './dates.js'
import { everydayDecoys } from './everyday.js'
import { moneyDecoys } from './money.js'
import { numberDecoys } from './numbers.js'
import { placeDecoys } from './places.js'

/** 35 tools that no task needs. */
export const decoys: readonly AnyTool[] = [
  ...dateDecoys,
  ...moneyDecoys,
  ...numberDecoys,
  ...codeDecoys,
  ...placeDecoys,
  ...everydayDecoys,
  ...checkDecoys,
]
