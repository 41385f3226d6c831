import { RE2JS } from 're2js'

/** Tells whether a text contains what a pattern describes. */
export type PatternTest = (text: string) => boolean

/** Patterns that are the same are compiled once, however many schemas use them. Few are kept that nobody used lately. */
const compiled = new Map<string, RE2JS>()
const maxCompiled = 1000

/**
 * Compiles a regular expression that a client sent. RE2 decides in time that grows with the text alone, whatever the pattern;
 * the expressions of this language may take for ever.
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

/** A test that compiles the pattern when it is first asked. */
export function patternTest(pattern: string): PatternTest {
  let expression: RE2JS | undefined
  return text => (expression ??= compilePattern(pattern)).test(text)
}

/** Why a pattern is none; undefined when it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
