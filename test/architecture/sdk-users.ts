import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesBelow } from '../support/find-tests.js'
import { root, type Source, sources } from './sources.js'

/** The test kit is for third parties, so the use by our own plugins says little. */
const testKit = 'orch/sdk/testing'
const outsideTheSdk = ['libs', 'kernel', 'plugins', 'orchctl', 'examples', 'test', 'tools']

/**
 * Everything outside the sdk that may use its names: sources, code in pages, and the emitted declarations, which name
 * the types of the exports of a plugin that its source does not name.
 */
export function possibleUsers(): Source[] {
  const declarations = outsideTheSdk.map(folder => join(root, 'dist', folder)).flatMap(written('.d.ts'))
  const pages = ['docs', 'plugins', 'libs', 'sdk', 'examples'].map(folder => join(root, folder)).flatMap(written('.md'))
  return [...sources(...outsideTheSdk), ...[...declarations, ...pages, join(root, 'README.md')].map(readSource)]
}
const written = (ending: string) => (folder: string) => filesBelow(folder).filter(file => file.endsWith(ending))
const readSource = (file: string): Source => ({
  path: relative(root, file),
  text: readFileSync(file, 'utf8'),
  isTest: false,
})

/** Lines of the surface (`door kind name`) without a user outside the sdk. */
export function unusedExports(surface: readonly string[], users: readonly Source[]): string[] {
  const used = new Set(users.flatMap(({ text }) => namesTaken(text)))
  return surface.filter(line => {
    const [door, , name] = line.split(' ')
    return door !== testKit && !used.has(`${door} ${name}`)
  })
}

/** A name with a single user: one plugin, one example, the kernel, orchctl, the tests or the pages. */
export interface NameOfOne {
  readonly line: string
  readonly user: string
  /** Why it is in the sdk nevertheless; undefined if it should move to its user. */
  readonly reason: Reason | undefined
}
/**
 * - `shape`: the declaration of another exported name mentions it, so an author who uses that one may have to name it;
 * - `shared`: code of the sdk itself uses it or its parts, and would have to copy them;
 * - `definer`: `define…`, one for each kind of contribution of a plugin;
 * - `differences`: differences between versions that code of the sdk depends on; the plugin of the type declares them;
 * - `mark`: reads what the sdk hides in its values, or names a resource, for the kernel, which may do neither;
 * - `rule`: one of the rules for names, numbers and addresses, which are kept together so that authors find them;
 * - `documented`: a page for authors explains it.
 */
type Reason = 'shape' | 'shared' | 'definer' | 'differences' | 'mark' | 'rule' | 'documented'
const hiddenMarks = new Set(['sdkVersionOf', 'serviceNameOf', 'userSubject', 'constrainedSubject', 'auditRecordType'])
/** Use parts that the sdk does not export: elsewhere they would need several exports. */
const ofInnerParts = new Set(['checkImageBlanks', 'defaultPod', 'validateVolumeMode'])

/** Names with one user. `declarations` and `code` are those of the sdk, by path; `guides` the pages for authors. */
export function namesOfOne(
  surface: readonly string[],
  users: readonly Source[],
  {
    declarations,
    code,
    guides,
  }: { declarations: readonly Source[]; code: readonly Source[]; guides: readonly Source[] },
): NameOfOne[] {
  const usersOf = new Map<string, Set<string>>()
  for (const { path, text } of users)
    for (const name of namesTaken(text)) usersOf.set(name, (usersOf.get(name) ?? new Set()).add(partOf(path)))
  const reasonOf = (door: string, name: string): Reason | undefined => {
    if (/^define[A-Z]/.test(name)) return 'definer'
    if (name.endsWith('Differences')) return 'differences'
    if (hiddenMarks.has(name)) return 'mark'
    if (ofInnerParts.has(name)) return 'shared'
    if (declarations.some(({ text }) => isMentioned(text, name))) return 'shape'
    if (code.some(({ text }) => isMentioned(text, name))) return 'shared'
    if (door === 'orch/sdk/validation') return 'rule'
    return guides.some(({ text }) => text.includes(`\`${name}`)) ? 'documented' : undefined
  }
  return surface.flatMap(line => {
    const [door = '', , name = ''] = line.split(' ')
    const [user, second] = usersOf.get(`${door} ${name}`) ?? []
    if (door === testKit || user === undefined || second !== undefined) return []
    return [{ line, user, reason: reasonOf(door, name) }]
  })
}
/** Whether a name occurs more often than it is declared: one name may be a value and a type. */
function isMentioned(text: string, name: string): boolean {
  if (!text.includes(name)) return false
  const uses = text.match(new RegExp(`(?<![\\w'"\`]|(?<!\\.\\.)\\.)${name}(?![\\w'"\`])`, 'g'))?.length ?? 0
  const declared = new RegExp(`\\b(?:const|function|class|interface|type) ${name}\\b`, 'g')
  return uses > (text.match(declared)?.length ?? 0)
}
function partOf(path: string): string {
  const [folder = '', name] = path.replace(/^dist\//, '').split('/')
  if (path.endsWith('.md')) return 'pages'
  return folder === 'plugins' || folder === 'examples' ? `${folder}/${name}` : folder
}

/** The sdk without its entry points, whose export lists are not uses. */
export function sdkTexts(): { declarations: Source[]; code: Source[]; guides: Source[] } {
  const isInner = ({ path, isTest }: Source) => !isTest && !/(^|\/)index\.|all-doors/.test(path)
  const declarations = written('.d.ts')(join(root, 'dist/sdk')).map(readSource)
  return {
    declarations: declarations.filter(isInner).map(withoutComments),
    code: sources('sdk').filter(isInner).map(withoutComments),
    guides: readdirSync(join(root, 'docs'))
      .filter(name => name.endsWith('.md'))
      .map(name => readSource(join(root, 'docs', name))),
  }
}
const withoutComments = (source: Source): Source => ({
  ...source,
  text: source.text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/^import [^;]*? from .*$/gm, ''),
})

/** `door name` for all imports from the sdk in a text. */
function namesTaken(text: string): string[] {
  if (!text.includes('orch/sdk')) return []
  const lists = [...text.matchAll(/\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"](orch\/sdk[\w/-]*)['"]/g)]
  const awaited = [...text.matchAll(/\{([^}]*)\}\s*=\s*await import\(\s*['"](orch\/sdk[\w/-]*)['"]\s*\)/g)]
  const typed = [...text.matchAll(/import\("(orch\/sdk[\w/-]*)"\)\.(\w+)/g)]
  return [
    ...[...lists, ...awaited].flatMap(([, names = '', door]) =>
      names
        .split(',')
        .map(each =>
          each
            .trim()
            .replace(/^type /, '')
            .split(/ as |:/)[0]
            ?.trim(),
        )
        .map(name => `${door} ${name}`),
    ),
    ...typed.map(([, door, name]) => `${door} ${name}`),
  ]
}
