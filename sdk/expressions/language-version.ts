import { defineDifference, type ServedLevel } from '../plugin/level.js'

const literalPatterns = defineDifference({
  name: 'literal-patterns-of-rules-are-checked',
  since: '1.24',
  description:
    'An expression with a literal that is not a valid pattern is rejected when it is written; before, it fails when it runs.',
  knownFrom: 'source',
})

const literalFormats = defineDifference({
  name: 'literal-formats-of-rules-are-checked',
  since: '1.31',
  description:
    'An expression that formats a literal list with a literal format string that does not match is rejected.',
  knownFrom: 'source',
})

const laggingLibraries = defineDifference({
  name: 'new-rules-use-libraries-of-the-version-before',
  since: '1.28',
  description: 'New expressions may use only functions that the previous version has, too; stored ones may use all.',
  knownFrom: 'source',
})

/** Differences of the expression language between versions. The plugin `expressions` declares them. */
export const expressionDifferences = [literalPatterns, literalFormats, laggingLibraries]

/** What new expressions may use, and what is checked when one is compiled. */
export interface LanguageVersion {
  /** The version `1.minor` of Kubernetes whose functions new expressions may use; undefined for all. */
  readonly minorOfNew: number | undefined
  /** The literals that are checked when an expression is written. */
  readonly checksLiterals: readonly ('durations' | 'timestamps' | 'patterns' | 'searches' | 'formats')[]
}

/** Since 1.29 the language checks literal times; new rules are checked as in the version before. */
const literalsSince = 29

/** The language in the version that is served. */
export function languageVersionOf(level: ServedLevel): LanguageVersion {
  const minorOfLevel = Number(level.version.split('.')[1])
  const minor = level.isAdditive ? undefined : level.has(laggingLibraries) ? minorOfLevel - 1 : minorOfLevel
  return {
    minorOfNew: minor,
    checksLiterals: [
      ...(minor !== undefined && minor >= literalsSince ? (['durations', 'timestamps'] as const) : []),
      ...(level.has(literalPatterns) ? (['patterns', 'searches'] as const) : []),
      ...(level.has(literalFormats) ? (['formats'] as const) : []),
    ],
  }
}
