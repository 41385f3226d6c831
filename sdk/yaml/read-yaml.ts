import { constructFromEvents, type Event, getScalarValue, parseEvents, YAMLException } from 'js-yaml'
import { YamlError, yamlDialect } from './yaml-dialect.js'

export { YamlError } from './yaml-dialect.js'

/** Limits of a YAML text. */
export interface YamlLimits {
  /** The maximum nesting depth of collections. */
  readonly maxDepth?: number
  /** The maximum number of values, including those that aliases repeat: a small text can expand to a huge object. */
  readonly maxNodes?: number
  /** The maximum number of characters of all values, counted the same way. */
  readonly maxCharacters?: number
  /** How many duplicate keys to report; 0 by default. */
  readonly maxRepeatedKeys?: number
}

/** The documents of a YAML text. */
export interface YamlContent {
  readonly documents: readonly unknown[]
  /** Duplicate keys of mappings; the last occurrence counts. */
  readonly repeatedKeys: readonly RepeatedKey[]
}
/** Where a key is repeated. */
export interface RepeatedKey {
  readonly key: string
  readonly line: number
}

/** Far deeper than any manifest, and shallow enough for recursive code. */
const defaultDepth = 250
const defaultNodes = 1_000_000
const defaultCharacters = 64 * 1024 * 1024

/** Reads YAML as manifests are written. Its time is linear in the text. Throws a YamlError. */
export function readYaml(text: string, limits: YamlLimits = {}): YamlContent {
  const { maxDepth = defaultDepth, maxNodes = defaultNodes, maxRepeatedKeys = 0 } = limits
  if (!mayHaveFewNodes(text, maxNodes)) throw tooManyNodes(maxNodes)
  try {
    const events = parseEvents(text, { maxDepth })
    const measure = new Measure(text, maxNodes, limits.maxCharacters ?? defaultCharacters, maxRepeatedKeys)
    for (const event of events) measure.add(event)
    const options = { source: text, schema: yamlDialect(), json: true, maxTotalMergeKeys: maxNodes }
    return { documents: constructFromEvents(events, options), repeatedKeys: measure.repeatedKeys }
  } catch (thrown) {
    if (!(thrown instanceof YAMLException)) throw thrown
    if (/exceeded maxDepth/.test(thrown.reason))
      throw new YamlError(`it nests deeper than ${maxDepth} levels`, undefined, true)
    const { line, column } = thrown.mark ?? { line: 0, column: 0 }
    throw new YamlError(withoutQuotes(thrown.reason), { line: line + 1, column: column + 1 })
  }
}

const tooManyNodes = (limit: number) => new YamlError(`it has more than ${limit} values`)
/** The message of the library, up to where it quotes the text. */
const withoutQuotes = (reason: string) =>
  reason.includes('complex keys') ? 'a key must be a scalar' : (reason.split(/["'`!<:(]/)[0]?.trim() ?? '')

/**
 * Parser events take a hundred times the memory of the text, so a text with too many separators is rejected before it is parsed. Separators
 * in strings count as well, hence the margin.
 */
function mayHaveFewNodes(text: string, maxNodes: number): boolean {
  const limit = maxNodes * 4
  if (text.length <= limit) return true
  let separators = 0
  for (let position = 0; position < text.length && separators <= limit; position++) {
    const code = text.charCodeAt(position)
    // Line feed, comma, [ ] { }
    if (code === 10 || code === 44 || code === 91 || code === 93 || code === 123 || code === 125) separators++
  }
  return separators <= limit
}

interface Size {
  nodes: number
  characters: number
}
interface Collection extends Size {
  readonly anchor: string
  /** A mapping that is checked for duplicate keys. */
  readonly keys: Set<string> | undefined
  isKeyNext: boolean
}

/** Counts the values of a text before anything is built from it, and finds duplicate keys. */
class Measure {
  readonly repeatedKeys: RepeatedKey[] = []
  readonly #text: string
  readonly #maxNodes: number
  readonly #maxCharacters: number
  readonly #maxRepeatedKeys: number
  #anchors = new Map<string, Size>()
  readonly #open: Collection[] = []

  constructor(text: string, maxNodes: number, maxCharacters: number, maxRepeatedKeys: number) {
    this.#text = text
    this.#maxNodes = maxNodes
    this.#maxCharacters = maxCharacters
    this.#maxRepeatedKeys = maxRepeatedKeys
  }

  /** Types of events, in the order of the library: document, sequence, mapping, scalar, alias, end. */
  add(event: Event): void {
    switch (event.type) {
      case 1:
        this.#anchors = new Map()
        this.#open.push({ nodes: 0, characters: 0, anchor: '', keys: undefined, isKeyNext: false })
        return
      case 2:
      case 3: {
        const isSearched = event.type === 3 && this.repeatedKeys.length < this.#maxRepeatedKeys
        const keys = isSearched ? new Set<string>() : undefined
        this.#open.push({ nodes: 1, characters: 0, anchor: this.#nameOf(event), keys, isKeyNext: true })
        return
      }
      case 4: {
        const size = { nodes: 1, characters: event.valueEnd - event.valueStart }
        if (event.anchorStart >= 0) this.#anchors.set(this.#nameOf(event), size)
        const top = this.#open.at(-1)
        if (top?.keys && top.isKeyNext) this.#addKey(top.keys, event)
        return this.#count(size)
      }
      case 5: {
        // An anchor is only known once its value is complete: otherwise the value would contain itself.
        const size = this.#anchors.get(this.#nameOf(event))
        if (!size) throw new YamlError('alias without an anchor before it', this.#placeOf(event.anchorStart))
        return this.#count(size)
      }
      case 6: {
        const closed = this.#open.pop()
        if (!closed) return
        if (closed.anchor !== '') this.#anchors.set(closed.anchor, closed)
        if (this.#open.length > 0) this.#count(closed)
      }
    }
  }

  #count({ nodes, characters }: Size): void {
    const top = this.#open.at(-1)
    if (!top) return
    top.nodes += nodes
    top.characters += characters
    top.isKeyNext = !top.isKeyNext
    if (top.nodes > this.#maxNodes) throw tooManyNodes(this.#maxNodes)
    if (top.characters > this.#maxCharacters)
      throw new YamlError(`it expands to more than ${this.#maxCharacters} characters`)
  }

  #addKey(keys: Set<string>, event: Event & { type: 4 }): void {
    const key = getScalarValue(this.#text, event)
    if (key !== '<<' && keys.has(key) && this.repeatedKeys.length < this.#maxRepeatedKeys)
      this.repeatedKeys.push({ key, line: this.#placeOf(event.valueStart).line })
    keys.add(key)
  }

  #nameOf({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string {
    return anchorStart < 0 ? '' : this.#text.slice(anchorStart, anchorEnd)
  }
  #placeOf(position: number): { line: number; column: number } {
    let line = 1
    let lineStart = 0
    for (let end = this.#text.indexOf('\n'); end >= 0 && end < position; end = this.#text.indexOf('\n', end + 1)) {
      line++
      lineStart = end + 1
    }
    return { line, column: position - lineStart + 1 }
  }
}
