import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from './sources.js'

/** Code that is complex for the sake of speed. Each file names the benchmark that gets worse without it. */
const structures = [
  'sdk/server/and-then.ts',
  'kernel/http/chunked-body.ts',
  'kernel/observe/histogram.ts',
  'kernel/representation/protobuf/transcode.ts',
  'kernel/storage/lmdb/chunk-builder.ts',
  'kernel/storage/lmdb/commit-pacer.ts',
  'kernel/watch/watch-group.ts',
  'libs/json/copy-json.ts',
  'plugins/storage-etcd/unary-channel.ts',
  'sdk/host/short-lived-entries.ts',
]
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The existing benchmarks that a text names. */
function benchmarksIn(text: string): string[] {
  const commands = [...text.matchAll(/npm run (bench[\w:]*)/g)].map(([, script = '']) => script)
  const files = [...text.matchAll(/test\/bench\/([\w-]+)\.[jt]s/g)].map(([, name = '']) => name)
  return [
    ...commands.filter(script => Object.hasOwn(scripts, script)),
    ...files.filter(name => existsSync(join(root, 'test/bench', `${name}.ts`))),
  ]
}

const speed = suite('structures that exist for speed')

for (const path of structures)
  speed(`${path} names its benchmark`, () => {
    assert.ok(benchmarksIn(readFileSync(join(root, path), 'utf8')).length > 0)
  })

speed('a benchmark that does not exist does not count', () => {
  assert.equal(benchmarksIn('measured by `npm run bench:nothing` and test/bench/nothing.ts'), [])
})

speed.run()
