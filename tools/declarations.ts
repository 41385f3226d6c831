import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An exported name in the declarations of the compiler. */
export interface Declaration {
  readonly name: string
  /** The text of its doc comment; empty if there is none. */
  readonly doc: string
  /** The declaration without its comment; several for overloads, or for a schema and the type of the same name. */
  readonly texts: readonly string[]
  /** The file that declares it, or the package. */
  readonly module: string
}

/** All names that a `.d.ts` file exports, including those that it re-exports, by name. */
export function exportedFrom(file: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>()
  for (const { doc, text } of statementsOf(readFileSync(file, 'utf8'))) {
    const [, star] = /^export \* from '([^']+)'/.exec(text) ?? []
    const [, list, from] = /^export (?:type )?\{([\s\S]*)\}(?: from '([^']+)')?/.exec(text) ?? []
    const [, name] =
      /^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type|namespace|enum) (\w+)/.exec(text) ?? []
    if (star !== undefined) for (const one of modulesAt(file, star).values()) add(found, one)
    else if (list !== undefined) for (const one of reexported(file, list, from, doc)) add(found, one)
    else if (name !== undefined) add(found, { name, doc, texts: [text], module: file })
  }
  return found
}

function add(found: Map<string, Declaration>, one: Declaration): void {
  const known = found.get(one.name)
  const isSame = known?.module === one.module && one.texts.every(text => known.texts.includes(text))
  if (isSame) return
  found.set(one.name, known ? { ...known, doc: known.doc || one.doc, texts: [...known.texts, ...one.texts] } : one)
}

const modulesAt = (file: string, from: string): Map<string, Declaration> =>
  exportedFrom(join(dirname(file), from.replace(/\.js$/, '.d.ts')))

/** The names that a list such as `{ type Static, Type as Builder }` exports. */
function reexported(file: string, list: string, from: string | undefined, doc: string): Declaration[] {
  const isOurs = from?.startsWith('.') && existsSync(join(dirname(file), from.replace(/\.js$/, '.d.ts')))
  const theirs = isOurs ? modulesAt(file, from ?? '') : new Map<string, Declaration>()
  return list
    .split(',')
    .map(entry => entry.trim().replace(/^type /, ''))
    .filter(Boolean)
    .map(entry => {
      const [original = '', name = original] = entry.split(' as ')
      const declared = theirs.get(original)
      if (declared) return { ...declared, name }
      return { name, doc: doc || `As \`${original}\` of ${from ?? 'this module'}.`, texts: [], module: from ?? file }
    })
}

/** The statements at the top of a declaration file, each with the comment right before it. */
export function statementsOf(source: string): { doc: string; text: string }[] {
  const statements: { doc: string; text: string }[] = []
  let rest = source.replace(/^\/\/\/ .*\n/gm, '').trimStart()
  while (rest !== '') {
    // The last comment before a statement describes it; an earlier one describes the file.
    let doc = ''
    for (let comment = firstComment(rest); comment; comment = firstComment(rest)) {
      doc = comment[1] ?? ''
      rest = rest.slice(comment[0].length)
    }
    const length = lengthOfStatement(rest)
    statements.push({ doc: plain(doc), text: rest.slice(0, length).trim() })
    rest = rest.slice(length).trimStart()
  }
  return statements
}

const firstComment = (text: string) => /^\/\*\*?([\s\S]*?)\*\/\s*/.exec(text)

/** The length up to the first semicolon outside of brackets, or up to the brace that closes a body. */
function lengthOfStatement(text: string): number {
  let depth = 0
  const tokens = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[()[\]{};]/g
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if ('([{'.includes(token)) depth++
    else if (')]}'.includes(token)) depth--
    const ends = depth === 0 && (token === ';' || (token === '}' && /^\s*(\n|$)/.test(text.slice(index + 1))))
    if (ends) return index + 1
  }
  return text.length
}

const plain = (comment: string): string =>
  comment
    .split('\n')
    .map(line => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .trim()
