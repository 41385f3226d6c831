import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SourcePositions, withReadableStacks, withSourcePositions } from './source-positions.js'

const positions = suite('positions in the sources')

positions('are those of the last segment that begins before a column', () => {
  // Line 1: column 0 is a.ts:1:1, column 4 is b.ts:3:5. Line 2 has none. Line 3: column 2 is b.ts:2:5.
  const map = new SourcePositions({ sources: ['../../a.ts', '../../deep/b.ts'], mappings: 'AAAA,ICEI;;EADA' })
  const cases: [line: number, column: number, found: string | undefined][] = [
    [0, 0, 'orch/a.ts:1:1'],
    [0, 3, 'orch/a.ts:1:1'],
    [0, 4, 'orch/deep/b.ts:3:5'],
    [0, 900, 'orch/deep/b.ts:3:5'],
    [1, 0, undefined],
    [2, 1, undefined],
    [2, 2, 'orch/deep/b.ts:2:5'],
    [7, 0, undefined],
  ]
  for (const [line, column, found] of cases) assert.is(map.find(line, column), found)
})

positions('of the built program are found for a function that only one source has', () => {
  const bundle = fileURLToPath(new URL('../../bundled/program.cjs', import.meta.url))
  assert.ok(existsSync(bundle), 'build the bundle first')
  const text = 'function openResources('
  const lines = readFileSync(bundle, 'latin1').split('\n')
  const line = lines.findIndex(one => one.includes(text))
  const map = new SourcePositions(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')))
  const found = map.find(line, lines[line]!.indexOf(text)) ?? ''
  const [, path = '', at = ''] = /^orch\/(.*):(\d+):\d+$/.exec(found) ?? []
  const source = readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8').split('\n')
  assert.ok(source[Number(at) - 1]?.startsWith(text))
})

positions('that are unknown are left unchanged', () => {
  const stack = 'Error: x\n    at f (orch/program.cjs:1:2)\n    at g (/home/me/plugin.ts:3:4)'
  assert.is(withSourcePositions(stack), stack)
})

positions('of consecutive own frames are folded in the stack of a plugin', () => {
  const own = (at: number) => `    at own${at} (orch/program.cjs:9000001:${at})`
  const theirs = '    at reconcile (/home/me/plugin.ts:3:4)'
  const node = '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)'
  const stack = ['Error: x', own(1), theirs, own(2), own(3), node, own(4), theirs, own(5), own(6)]
  assert.equal(withSourcePositions(stack.join('\n')).split('\n'), [
    ...['Error: x', own(1), theirs, own(2), '    … 3 more frames of orch and Node', theirs, own(5), own(6)],
  ])
})

positions('are all shown if no file of a plugin is in the stack', () => {
  const stack = ['Error: x', ...[1, 2, 3, 4].map(at => `    at own${at} (orch/program.cjs:9000001:${at})`)].join('\n')
  assert.is(withSourcePositions(stack), stack)
})

positions('are in the stacks of an error and of its causes, even if those are cyclic', () => {
  const frames = [1, 2, 3, 4].map(at => `    at own${at} (orch/program.cjs:9000001:${at})`)
  const errorOf = (name: string) =>
    Object.assign(new Error(name), { stack: [name, '    at theirs (/me/plugin.ts:3:4)', ...frames].join('\n') })
  const cause: Error = errorOf('cause')
  const failure = Object.assign(errorOf('failure'), { cause })
  cause.cause = failure
  assert.is(withReadableStacks(failure), failure)
  for (const { stack } of [failure, cause]) assert.match(stack ?? '', /own1.*\n +… 3 more frames of orch and Node$/)
})

positions.run()
