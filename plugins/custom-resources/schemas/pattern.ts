import { RE2JS } from 're2js'
import { costs } from './work.js'

/** Whether a string contains a match of a pattern. */
export type PatternTest = (text: string) => boolean

/** Compiled patterns, shared by all schemas. The oldest is evicted first. */
const compiled = new Map<string, RE2JS>()
const maxCompiled = 1000

/**
 * Compiles a regular expression of a client. RE2 matches in time linear in the length of the string, whatever the
 * pattern; JavaScript's regular expressions can take exponential time.
 */
export function compilePattern(pattern: string): RE2JS {
  let found = compiled.get(pattern)
  if (!found) {
    found = RE2JS.compile(pattern)
    if (compiled.size >= maxCompiled) compiled.delete(compiled.keys().next().value!)
    compiled.set(pattern, found)
  }
  return found
}

/** The cost of compiling a pattern of this size; 0 if it is compiled already. */
export const compileCost = (pattern: string, size: number): number =>
  compiled.has(pattern) ? 0 : size * costs.patternInstruction

/** A test that compiles the pattern on first use. */
export function patternTest(pattern: string): PatternTest {
  let expression: RE2JS | undefined
  return text => (expression ??= compilePattern(pattern)).test(text)
}

/** Why a pattern is invalid; undefined if it is valid. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
