import { join } from 'node:path'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'

/** Where the package is installed. */
export interface RunnerProject {
  readonly project: string
}
export interface RunnerTools {
  /** Runs a program to its end and returns what it printed; throws with all of it when that is a failure. */
  run(cwd: string, program: string, ...words: string[]): Promise<string>
  write(folder: string, files: Readonly<Record<string, string>>): void
  /** How npm installs packages here. */
  readonly install: readonly string[]
  /** The compiler, and where the types of Node are. */
  readonly compiler: string
  readonly typeRoots: string
}

/** Test runners besides those of Node and the package. These versions still run on Node 20. */
const runners = ['vitest@3', 'jest@30', 'tsx@4', 'uvu@0.5']

/** A test of its own: servers with either store, in one process; or a small one, after others have run there. */
const body = `import { deepEqual, equal, rejects } from 'node:assert/strict'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { ApiError, type ApiObject } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'

const small = { plugins: [namespaces, configuration] }
export const body = () => serve([{ vendor: 'kubernetes', tls: true }, small])
export const again = () => serve([small])

async function serve(servers: Parameters<typeof startServer>[0][]): Promise<void> {
  for (const options of servers) {
    const server = await startServer(options)
    try {
      const maps = server.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
      const made = await maps.create({ metadata: { name: 'one', labels: { a: 'b' } } })
      deepEqual({ ...made.metadata.labels }, { a: 'b' })
      await rejects(maps.get('two'), (failure: unknown) => failure instanceof ApiError && failure.code === 404)
      await server.reset()
      equal(await maps.find('one'), undefined)
    } finally {
      await server.stop()
    }
  }
}
`
const withBody = (rest: string) => `import { body } from './body.js'\n${rest}`
const globalTest = withBody(`declare const test: (name: string, body: () => Promise<void>, timeoutMs: number) => void
test('serves', body, 100_000)
`)
/** Another file, for runners that have several in one process. */
const second = globalTest.replaceAll('body', 'again').replace('./again', './body')
const nodeTest = { 'node.test.ts': withBody(`import { test } from 'node:test'\ntest('serves', body)\n`) }
/** What runners read as it is. */
const sources = {
  'package.json': '{ "type": "module" }',
  'body.ts': body,
  ...nodeTest,
  'uvu.test.ts': withBody(`import { test } from 'uvu'\ntest('serves', body)\ntest.run()\n`),
  'vitest/one.test.ts': globalTest.replace('./body', '../body'),
  'vitest/two.test.ts': second.replace('./body', '../body'),
}
/** What is compiled first. */
const compiled = {
  'body.ts': body,
  ...nodeTest,
  'jest/one.test.ts': globalTest.replace('./body', '../body'),
  'jest/two.test.ts': second.replace('./body', '../body'),
}
const jestConfig = { testEnvironment: 'node', testMatch: ['**/jest/*.test.js'], transform: {} }
const settings = { target: 'es2022', strict: true, rootDir: '.', module: 'node16', skipLibCheck: true, types: ['node'] }

/** Adds a test for each way in which people run tests: the runners, with sources and with compiled code. */
export function testRunners(
  tests: Test<RunnerProject>,
  { run, write, install, compiler, typeRoots }: RunnerTools,
): void {
  tests('compiles in tests of either kind of module', async ({ project }) => {
    const own = join(project, 'runners')
    write(own, sources)
    // Below the package, so that it stays alone there.
    await run(own, 'npm', ...install, ...runners)
    for (const [folder, type] of [
      ['esm', 'module'],
      ['cjs', 'commonjs'],
    ] as const) {
      const options = { compilerOptions: { ...settings, typeRoots: [typeRoots] }, include: ['**/*.ts'] }
      write(join(own, folder), {
        ...compiled,
        'package.json': JSON.stringify({ type }),
        'tsconfig.json': JSON.stringify(options),
        'jest.config.cjs': `module.exports = ${JSON.stringify(jestConfig)}`,
      })
      await run(join(own, folder), compiler, '-p', '.')
    }
  })

  const bin =
    (name: string) =>
    ({ project }: RunnerProject) =>
      join(project, name === 'jiti' ? '' : 'runners', 'node_modules/.bin', name)
  const node = () => process.execPath
  // The usual form of the report depends on the version of Node.
  const nodeTests = ['--test', '--test-reporter=tap']
  const jest = ['--runInBand', '--ci', '--colors=false']
  const ways: Readonly<
    Record<string, readonly [(project: RunnerProject) => string, string, readonly string[], RegExp]>
  > = {
    'node:test with compiled code': [node, 'esm', [...nodeTests, 'node.test.js'], /# pass 1\b/],
    'node:test with required code': [node, 'cjs', [...nodeTests, 'node.test.js'], /# pass 1\b/],
    'node:test with tsx': [node, '.', ['--import', 'tsx', ...nodeTests, 'node.test.ts'], /# pass 1\b/],
    'node:test with jiti': [node, '.', ['--import', 'jiti/register', ...nodeTests, 'node.test.ts'], /# pass 1\b/],
    'uvu with tsx': [bin('uvu'), '.', ['-r', 'tsx', '.', '^uvu.test.ts$'], /Passed: +1\b/],
    'uvu with jiti': [bin('jiti'), '.', ['uvu.test.ts'], /Passed: +1\b/],
    'vitest in processes': [bin('vitest'), '.', ['run', '--globals', 'vitest/one'], /Tests +1 passed/],
    'vitest in threads': [bin('vitest'), '.', ['run', '--globals', '--pool=threads', 'vitest/'], /Tests +2 passed/],
    'jest with required code': [bin('jest'), 'cjs', jest, /Tests: +2 passed/],
    'jest with modules': [node, 'esm', ['--experimental-vm-modules', 'JEST', ...jest], /Tests: +2 passed/],
  }
  for (const [title, [program, folder, words, expected]] of Object.entries(ways))
    tests(`starts a server under ${title}`, async world => {
      const given = words.map(word => (word === 'JEST' ? bin('jest')(world) : word))
      // Some runners print the result to standard error.
      const shell = ['-c', 'exec "$0" "$@" 2>&1', program(world), ...given]
      const printed = await run(join(world.project, 'runners', folder), 'sh', ...shell)
      assert.match(printed.replace(/\u001b\[\d+m/g, ''), expected)
    })
}
