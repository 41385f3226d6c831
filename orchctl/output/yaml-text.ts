import { type CollectionTag, parseAllDocuments, type ScalarTag, stringify, type YAMLParseError } from 'yaml'
import { UsageError } from '../usage-error.js'
import type { Painter } from './painter.js'

/**
 * Manifests are written for the YAML 1.1 reader of Go: `0644` is octal, `yes` is true. Its times of day and timestamps
 * are plain text there, though.
 */
const manifestTags = (tags: (ScalarTag | CollectionTag)[]) =>
  tags.filter(tag => !('format' in tag && tag.format === 'TIME') && tag.tag !== 'tag:yaml.org,2002:timestamp')

/** The documents of a YAML or JSON text; empty ones are left out. `origin` names the text in messages. */
export function parseYamlDocuments(text: string, origin: string): unknown[] {
  const documents = parseAllDocuments(text, {
    schema: 'yaml-1.1',
    merge: true,
    customTags: tags => manifestTags(tags as (ScalarTag | CollectionTag)[]),
  })
  return (Array.isArray(documents) ? documents : []).flatMap(document => {
    const [problem] = document.errors
    if (problem) throw new UsageError(`${origin}: ${describe(problem)}`)
    const value: unknown = document.toJS()
    return value === null || value === undefined ? [] : [value]
  })
}

const describe = (problem: YAMLParseError) => problem.message.split('\n')[0]?.replace(/:$/, '') ?? 'not valid YAML'

/** An object as people read it: sorted keys, nothing folded. Quotes what YAML 1.1 readers would misread. */
export const yamlText = (value: unknown): string =>
  stringify(value, {
    schema: 'yaml-1.1',
    sortMapEntries: true,
    lineWidth: 0,
    aliasDuplicateObjects: false,
    indentSeq: false,
  })

/** YAML text with coloured keys. */
export const paintYaml = (text: string, paint: Painter): string =>
  text.replace(
    /^( *(?:- )*)([^\s:'"#][^:\n]*)(:)(?=\s|$)/gm,
    (_, indent, key, colon) => indent + paint.key(key) + colon,
  )
