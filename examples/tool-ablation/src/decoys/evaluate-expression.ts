import { badArgument } from '../errors.js'

/**
 * The value of an arithmetic expression: `+ - * / ^`, parentheses, decimal numbers; `^` binds first and to the right.
 * Throws for anything else, and for a result that is no finite number.
 */
export function evaluateExpression(expression: string): number {
  const tokens = expression.match(/\d+(?:\.\d+)?|\S/g) ?? []
  let at = 0
  const fail = () =>
    badArgument(
      `${JSON.stringify(expression)} was not calculated.`,
      `It cannot be read at ${JSON.stringify(tokens[at] ?? 'its end')}.`,
      'Use numbers, + - * / ^ and parentheses.',
    )
  const take = (...wanted: readonly string[]) =>
    wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined

  function sum(): number {
    let value = product()
    for (let sign = take('+', '-'); sign !== undefined; sign = take('+', '-')) {
      value += sign === '+' ? product() : -product()
    }
    return value
  }
  function product(): number {
    let value = signed()
    for (let sign = take('*', '/'); sign !== undefined; sign = take('*', '/')) {
      value = sign === '*' ? value * signed() : value / signed()
    }
    return value
  }
  function signed(): number {
    return take('-') === undefined ? power() : -signed()
  }
  function power(): number {
    const base = atom()
    return take('^') === undefined ? base : base ** signed()
  }
  function atom(): number {
    if (take('(') !== undefined) {
      const value = sum()
      if (take(')') === undefined) throw fail()
      return value
    }
    const token = tokens[at]
    if (token === undefined || !/^\d/.test(token)) throw fail()
    at++
    return Number(token)
  }

  const value = sum()
  if (at < tokens.length) throw fail()
  if (!Number.isFinite(value))
    throw badArgument(
      `${expression} has no value.`,
      'It divides by zero or is too large.',
      'Change the numbers.',
    )
  return value
}
