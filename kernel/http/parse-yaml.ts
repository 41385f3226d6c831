import { badRequest } from 'orch/sdk'
import { Composer, type CST, type Document, LineCounter, Parser, type ScalarTag, type Tags, type YAMLError } from 'yaml'

/**
 * Collections inside collections. No manifest comes near it, and the parser is recursive: at the end of its stack it does not
 * always throw, but may end the whole process.
 */
const maxDepth = 250

/** Parses one YAML document. Nesting and aliases are bounded, so that a small text cannot become a huge object. */
export function parseYaml(text: string): unknown {
  // JSON is YAML, most clients send just that, and reading it as such is many times faster.
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text)
    } catch {
      // A flow mapping that is not JSON, or broken: the YAML parser says which.
    }
  }
  const lines = new LineCounter()
  const tokens = new Parser(lines.addNewLine).parse(text)
  const documents: readonly Document[] = [...new Composer(yamlDialect).compose(withoutDeepNesting(tokens))]
  const [error] = documents.flatMap(each => each.errors)
  if (error) throw unreadable(describe(error, lines))
  const [value, ...others] = documents.map(contentOf)
  if (others.some(other => other !== null)) throw unreadable('it has more than one document')
  return value ?? null
}

const unreadable = (why: string) => badRequest(`couldn't parse the request body as YAML: ${why}`)

/**
 * The YAML that manifests are written in: 1.1, where 0644 is octal and `yes` is true, without what JSON has no word
 * for. Times stay text, and 12:30 is no number.
 */
export const yamlDialect = {
  version: '1.1',
  schema: 'yaml-1.1',
  merge: true,
  uniqueKeys: false,
  customTags: (tags: Tags): Tags => [...tags.filter(tag => typeof tag === 'string' || !isWithoutJson(tag)), newOctal],
} as const
/** Octal as 1.2 writes it, which people mix in. */
const newOctal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0o[0-7]+$/,
  resolve: text => Number.parseInt(text.replace('0o', ''), 8),
}
const jsonless = ['timestamp', 'binary', 'set', 'omap', 'pairs'].map(name => `tag:yaml.org,2002:${name}`)
const isWithoutJson = (tag: { tag: string; format?: string }): boolean =>
  jsonless.includes(tag.tag) || tag.format === 'TIME'

/** Each document is measured before it is composed: reading tokens is not recursive, composing them is. */
function* withoutDeepNesting(tokens: Iterable<CST.Token>): Iterable<CST.Token> {
  for (const token of tokens) {
    let level = token.type === 'document' && token.value ? [token.value] : []
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > maxDepth) throw unreadable(`it nests deeper than ${maxDepth} levels`)
      level = level.flatMap(partsOf)
    }
    yield token
  }
}

function partsOf(token: CST.Token): CST.Token[] {
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }: CST.CollectionItem) => [key, value].filter(part => part != null))
}

function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    throw unreadable('it has too many aliases, or one without an anchor')
  }
}

/** As with JSON, only what and where, for the body may be a Secret: `block in flow at line 2, column 36`. */
function describe({ code, pos }: YAMLError, lines: LineCounter): string {
  const { line, col } = lines.linePos(pos[0])
  return `${code.toLowerCase().replaceAll('_', ' ')} at line ${line}, column ${col}`
}
