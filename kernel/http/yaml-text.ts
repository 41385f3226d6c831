import { stringify } from 'yaml'

/**
 * A JSON value as YAML that readers of 1.1 and of 1.2 understand alike: text such as `yes` or `0644` is quoted, and
 * what occurs twice is written twice: not every reader knows aliases.
 */
export const toYaml = (value: unknown): string => stringify(value, { version: '1.1', aliasDuplicateObjects: false })
