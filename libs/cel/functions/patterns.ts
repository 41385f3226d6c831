import { RE2JS } from 're2js'
import { patternSize } from '../../patterns/index.js'
import { Failure, type Work } from '../run/work.js'

/** Compiled patterns. The oldest is evicted first. */
const compiled = new Map<string, RE2JS>()
const maxCompiled = 500
/** Longer patterns are rejected: compiling one would take longer than an evaluation may take. */
const maxPatternSteps = 2_000_000

/** What compiling a pattern takes: characters, classes of Unicode, and the instructions that repetitions expand to. */
function stepsToCompile(pattern: string): number {
  const classes = pattern.match(/\\[pP]|\(\?[a-z]*i/g)?.length ?? 0
  return 100 + pattern.length * 300 + classes * 3500 + patternSize(pattern) * stepsPerCompiledInstruction
}
const stepsPerCompiledInstruction = 200

/** Compiles a pattern. Charged even if the pattern is cached. Throws a Failure. */
export function patternOf(work: Work, pattern: string): RE2JS {
  work.steps(1 + pattern.length / 8)
  let found = compiled.get(pattern)
  if (found) return found
  work.steps(Math.min(stepsToCompile(pattern), maxPatternSteps * 10))
  const problem = patternProblem(pattern)
  if (problem !== undefined) throw new Failure(problem)
  found = compiled.get(pattern)!
  return found
}

/** Why a pattern is invalid; undefined if it is valid. */
export function patternProblem(pattern: string): string | undefined {
  if (compiled.has(pattern)) return undefined
  if (stepsToCompile(pattern) > maxPatternSteps) return 'error parsing regexp: expression too large'
  try {
    const made = RE2JS.compile(pattern)
    if (compiled.size >= maxCompiled) compiled.delete(compiled.keys().next().value!)
    compiled.set(pattern, made)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** RE2 visits every instruction for every character in the worst case. */
const stepsPerInstruction = 1.6
export const chargeMatch = (work: Work, pattern: RE2JS, length: number): void =>
  work.steps(20 + (length + 1) * (2 + pattern.programSize() * stepsPerInstruction))

/** Whether a string contains a match. The time is linear in the string, whatever the pattern. */
export function matchesPattern(work: Work, text: string, pattern: string): boolean {
  const expression = patternOf(work, pattern)
  chargeMatch(work, expression, text.length)
  return expression.test(text)
}

/** Up to `limit` matches; all if it is negative. */
export function findMatches(work: Work, text: string, pattern: string, limit = -1): string[] {
  const expression = patternOf(work, pattern)
  const found: string[] = []
  if (limit === 0) return found
  const matcher = expression.matcher(text)
  for (let start = 0; found.length !== limit; ) {
    // Each search can read the rest of the string.
    chargeMatch(work, expression, text.length - start)
    if (!matcher.find()) break
    found.push(matcher.group() ?? '')
    start = matcher.end()
  }
  return found
}
