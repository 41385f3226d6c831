import { dirname, join } from 'node:path'
import { diffLines } from 'diff'
import { statementsOf } from '../../tools/declarations.js'
import { fileOfDoor, type SdkRecord } from './sdk-record.js'

/** The version increment that a change requires of its entry point. */
export type Level = 'patch' | 'minor' | 'major'
export interface SdkChange {
  readonly door: string
  readonly name: string
  readonly level: Level
  readonly what: string
}

/** The differences between two states of the sdk, by the entry point whose version must reflect them. */
export function compareSdks(was: SdkRecord, now: SdkRecord): SdkChange[] {
  const before = new Declarations(was)
  const after = new Declarations(now)
  return [...new Set([...Object.keys(was.versions), ...Object.keys(now.versions)])].flatMap(door => {
    const old = before.behind(door)
    const current = after.behind(door)
    const removed = [...old].filter(([name]) => !current.has(name))
    const kept = [...old].filter(([name]) => current.has(name))
    return [
      ...[...current.keys()]
        .filter(name => !old.has(name))
        .map((name): SdkChange => ({ door, name, level: 'minor', what: 'is new' })),
      ...removed.map(([name, text]): SdkChange => {
        const what = text.includes('@deprecated') ? 'was removed' : 'was removed and was not deprecated before'
        return { door, name, level: 'major', what }
      }),
      ...kept.flatMap(([name, text]) => changeOf(door, name, text, current.get(name) ?? '')),
    ]
  })
}

function changeOf(door: string, name: string, was: string, now: string): SdkChange[] {
  const [old, current] = [withoutComments(was), withoutComments(now)]
  if (old === current) return []
  return hasOnlyGrown(old, current)
    ? [{ door, name, level: 'minor', what: 'has new optional members' }]
    : [{ door, name, level: 'major', what: 'has changed' }]
}

/**
 * Whether only optional members were added. Each member is on its own line, as the compiler emits declarations. A line with
 * fewer optional members, or a required one, might be something that authors must provide, so it counts as a change.
 */
export function hasOnlyGrown(was: string, now: string): boolean {
  return diffLines(was, now).every(({ added, removed, value }) => {
    if (removed) return false
    return !added || optionalMember.test(value)
  })
}
/** `readonly name?: …`, `name?(…)`, or an optional property of a schema. */
const optionalMember = /^\s*(?:readonly )?(?:\w+|"[^"]+")(?:\?[:(<]|: (?:\w+\.)?TOptional<)/

/** The declarations of one state of the sdk. */
class Declarations {
  readonly #record: SdkRecord
  constructor(record: SdkRecord) {
    this.#record = record
  }

  /**
   * The names of an entry point, each with the text of its declaration and of everything that it mentions and no entry point exports, since that
   * is not versioned separately.
   */
  behind(door: string): Map<string, string> {
    const exported = this.#exportedFrom(fileOfDoor(door))
    return new Map([...exported].map(([name, place]) => [name, this.#textOf(place)]))
  }

  readonly #offered = new Map<SdkRecord, ReadonlySet<string>>()
  #isOffered(name: string): boolean {
    const known = this.#offered.get(this.#record)
    const names =
      known ??
      new Set(Object.keys(this.#record.versions).flatMap(door => [...this.#exportedFrom(fileOfDoor(door)).keys()]))
    this.#offered.set(this.#record, names)
    return names.has(name)
  }

  #textOf({ file, name }: Place, seen = new Set<string>()): string {
    const key = `${file} ${name}`
    if (seen.has(key)) return ''
    seen.add(key)
    const own = this.#statementsIn(file).get(name) ?? ''
    const mentioned = new Set(withoutComments(own).match(/\b[A-Za-z_]\w*\b/g))
    const inner = [...mentioned].flatMap(word => {
      const place = word === name || this.#isOffered(word) ? undefined : this.#visibleIn(file, word)
      return place ? [this.#textOf(place, seen)] : []
    })
    return [own, ...inner].filter(text => text !== '').join('\n')
  }

  /** Where a name in a file is declared: there, or in the file that it is imported from. Undefined for names outside the sdk. */
  #visibleIn(file: string, word: string): Place | undefined {
    if (this.#statementsIn(file).has(word)) return { file, name: word }
    const text = this.#record.files[file] ?? ''
    for (const [, list = '', from = ''] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)) {
      const entry = list.split(',').find(
        each =>
          each
            .trim()
            .replace(/^type /, '')
            .split(' as ')
            .at(-1) === word,
      )
      const [name = word] =
        entry
          ?.trim()
          .replace(/^type /, '')
          .split(' as ') ?? []
      if (entry !== undefined) return this.#placeOf(pathFrom(file, from), name)
    }
    return undefined
  }
  #placeOf(file: string, name: string): Place | undefined {
    return this.#exportedFrom(file).get(name)
  }

  #exportedFrom(file: string): Map<string, Place> {
    const found = new Map<string, Place>()
    for (const { text } of this.#parsed(file)) {
      const [, star] = /^export \* from '(\.[^']+)'/.exec(text) ?? []
      const [, list, from] = /^export (?:type )?\{([\s\S]*)\}(?: from '([^']+)')?/.exec(text) ?? []
      const [, name] = declared.exec(text) ?? []
      if (star !== undefined) for (const [key, place] of this.#exportedFrom(pathFrom(file, star))) found.set(key, place)
      else if (list !== undefined) this.#addListed(found, file, list, from)
      else if (name !== undefined && text.startsWith('export ')) found.set(name, { file, name })
    }
    return found
  }
  #addListed(found: Map<string, Place>, file: string, list: string, from: string | undefined): void {
    for (const entry of list.split(',').map(each => each.trim().replace(/^type /, ''))) {
      const [name = '', as = name] = entry.split(' as ')
      if (name === '') continue
      const isOurs = from?.startsWith('.')
      const place = isOurs ? this.#placeOf(pathFrom(file, from ?? ''), name) : this.#visibleIn(file, name)
      found.set(as, place ?? { file: from ?? file, name })
    }
  }

  readonly #statements = new Map<string, Map<string, string>>()
  /** Statements by name: overloads, or a schema and the type of the same name, are combined. Includes comments, because of `@deprecated`. */
  #statementsIn(file: string): Map<string, string> {
    const known = this.#statements.get(file)
    if (known) return known
    const byName = new Map<string, string>()
    for (const { doc, text } of this.#parsed(file)) {
      const [, name] = declared.exec(text) ?? []
      if (name === undefined) continue
      const whole = doc === '' ? text : `/** ${doc} */\n${text}`
      byName.set(name, [byName.get(name), whole].filter(Boolean).join('\n'))
    }
    this.#statements.set(file, byName)
    return byName
  }
  readonly #parsedFiles = new Map<string, ReturnType<typeof statementsOf>>()
  #parsed(file: string): ReturnType<typeof statementsOf> {
    const known = this.#parsedFiles.get(file) ?? statementsOf(this.#record.files[file] ?? '')
    this.#parsedFiles.set(file, known)
    return known
  }
}
interface Place {
  readonly file: string
  readonly name: string
}
const declared = /^(?:export )?(?:declare )?(?:abstract )?(?:const|function|class|interface|type|namespace|enum) (\w+)/
const pathFrom = (file: string, target: string): string => join(dirname(file), target.replace(/\.js$/, '.d.ts'))

const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter(line => line.trim() !== '')
    .join('\n')
