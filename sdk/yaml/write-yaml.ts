import { dump } from 'js-yaml'
import { nestsDeeper } from '../../libs/json/index.js'

/** Levels that are indented. Below them the indentation would be most of the text, so they are written in one line, in brackets. */
const indentedLevels = 200

/**
 * Writes a JSON value as YAML that readers of 1.1 and 1.2 understand alike: text such as `yes` or `0644` is quoted, nothing is
 * folded, keys are sorted as in the reference, and repeated values are written out, because not every reader supports aliases.
 */
export const writeYaml = (value: unknown): string =>
  dump(value, {
    noRefs: true,
    lineWidth: -1,
    seqNoIndent: true,
    quoteStyle: 'double',
    skipInvalid: true,
    sortKeys: true,
    ...(nestsDeeper(value, indentedLevels) ? { flowLevel: indentedLevels } : {}),
  })
