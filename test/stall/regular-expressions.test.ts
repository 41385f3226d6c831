import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../architecture/sources.js'
import { filesBelow } from '../support/find-tests.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { suspects } from './expression-verdicts.js'
import { type Expression, expressionsBuiltBy, expressionsInCode } from './expressions-in-code.js'

const folders = ['libs', 'sdk', 'kernel', 'plugins', 'orchctl']
const dist = join(root, 'dist')
/** The compiler does not delete stale output. */
const sourceOf = (file: string) => join(root, relative(dist, file)).replace(/\.js$/, '.ts')

/** Compile what authors wrote into their schemas, at boot or in their tests: users send none of it. */
const compilesPatternsOfAuthors = [
  'kernel/types/check-schema.js',
  'sdk/testing/generate/matches-schema.js',
  'sdk/testing/generate/text-for-pattern.js',
]

/**
 * Expressions that the analyser has cleared, after a line with its version: to analyse them all takes minutes. Those that are not
 * in it are analysed. `WRITE_CLEARED=1 node dist/test/stall/regular-expressions.test.js` writes it anew.
 */
const clearedFile = join(root, 'test/stall/cleared-expressions.txt')
const analyser: string = JSON.parse(readFileSync(join(root, 'node_modules/recheck/package.json'), 'utf8')).version
const textOf = ({ source, flags }: Expression) => `/${source}/${flags}`

function clearedBefore(): (text: string) => boolean {
  if (!existsSync(clearedFile)) return () => false
  const [version, ...texts] = readFileSync(clearedFile, 'utf8').split('\n')
  const known = new Set(texts)
  return text => version === analyser && known.has(text)
}

async function allExpressions(files: readonly string[]): Promise<Expression[]> {
  const read = files.map(path => {
    const file = relative(dist, path)
    return { file, url: pathToFileURL(path).href, ...expressionsInCode(readFileSync(path, 'utf8'), file) }
  })
  const built = await expressionsBuiltBy(read.filter(({ buildsSome }) => buildsSome))
  const late = read.filter(({ file, buildsSome }) => buildsSome && !built.some(one => one.file === file))
  assert.equal(
    late.map(({ file }) => file).filter(file => !compilesPatternsOfAuthors.includes(file)),
    [],
    'expressions must be built at import, where they can be checked',
  )
  const all = [...read.flatMap(({ expressions }) => expressions), ...built]
  return [...new Map(all.map(one => [textOf(one), one])).values()]
}

const shown = async (expressions: readonly Expression[]) =>
  (await suspects(expressions)).map(
    ({ expression: { source, flags, file }, why }) => `${file}: /${source}/${flags} ${why}`,
  )

const expressions = suite('regular expressions')

expressions('none takes more than linear time', async () => {
  const files = folders
    .flatMap(folder => filesBelow(join(dist, folder)))
    .filter(file => file.endsWith('.js') && !file.endsWith('.test.js') && existsSync(sourceOf(file)))
  const found = await allExpressions(files)
  assert.ok(found.length > 150, `only ${found.length} found`)
  const isCleared = clearedBefore()
  assert.equal(await shown(found.filter(one => !isCleared(textOf(one)))), [])
  if (process.env['WRITE_CLEARED'] !== undefined)
    writeFileSync(clearedFile, `${[analyser, ...found.map(textOf).sort()].join('\n')}\n`)
})

expressions('a vulnerable one is found wherever it is', async () => {
  const folder = temporaryFolder()
  const planted = {
    'literal.mjs': 'export const isName = text => /^(?:[a-z]+-?)+$/.test(text)',
    'hole.mjs': `export const trimmed = text => \`<\${text.replace(/\\s+$/, '')}>\``,
    'constant.mjs': "export const form = new RegExp('^(a|a)*$')",
    'built.mjs': `const part = '[a-z]+-*'\nexport const form = RegExp(\`^(?:\${part})*$\`, 'i')`,
    'schema.mjs': "export const schema = { type: 'string', pattern: '^(x+x+)+y$' }",
    'good.mjs': 'export const isName = text => /^[a-z]+$/.test(text)',
  }
  const files = Object.entries(planted).map(([name, code]) => folder.write(name, code))
  const found = await suspects(await allExpressions(files)).finally(folder.remove)
  assert.equal(found.map(({ expression, why }) => `${expression.source} ${why}`).sort(), [
    '\\s+$ 2nd degree polynomial',
    '^(?:[a-z]+-*)*$ exponential',
    '^(?:[a-z]+-?)+$ exponential',
    '^(a|a)*$ exponential',
    '^(x+x+)+y$ exponential',
  ])
})

expressions.run()
