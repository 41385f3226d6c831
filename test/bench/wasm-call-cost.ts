import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AdmissionDefinition, AdmissionRequest, Registrar } from 'orch/sdk'
import { defineWasmPlugin } from '../../kernel/wasm/define-wasm-plugin.js'
import { op, replyModule } from '../../kernel/wasm/testing/reply-module.js'

/**
 * `node dist/test/bench/wasm-call-cost.js`
 *
 * How long a review by a module takes, in microseconds of this thread: writing the request, the call, reading the reply, and restoring
 * the memory. A module that only replies, and the policy of examples/recipes-wasm, which parses the request.
 */
const rounds = 1000
const calls = 50

const object = {
  apiVersion: 'kitchen.example.com/v1',
  kind: 'Recipe',
  metadata: { name: 'soup', namespace: 'default', labels: { app: 'kitchen', team: 'a' }, uid: 'b1946ac9-2d53-4c5b' },
  spec: { dish: 'soup', servings: 4, minutes: 25, cook: 'Ada' },
}
const requested = {
  kind: { group: 'kitchen.example.com', version: 'v1', kind: 'Recipe' },
  resource: { group: 'kitchen.example.com', version: 'v1', resource: 'recipes' },
}
const request = {
  operation: 'create',
  user: { name: 'ada', groups: ['system:authenticated'], uid: '1', extra: {} },
  ...{ group: 'kitchen.example.com', version: 'v1', kind: 'Recipe', resource: 'recipes', subresource: '' },
  ...{ namespace: 'default', name: 'soup', dryRun: false, requestVersion: 'v1', object },
  served: { requested, readable: (_: unknown, which: string) => (which === 'object' ? object : null) },
  warn: () => undefined,
} as unknown as AdmissionRequest

async function controlOf(bytes: Uint8Array, manifest: object): Promise<AdmissionDefinition> {
  const { definition } = await defineWasmPlugin(bytes, manifest)
  const controls: AdmissionDefinition[] = []
  const ignore = () => undefined
  const to = {
    ...{ resource: ignore, authorizer: ignore, onStart: ignore },
    admission: (...given: AdmissionDefinition[]) => void controls.push(...given),
  } as unknown as Registrar
  definition.register(to, { options: {}, vendor: undefined as never, isEnabled: () => false })
  const control = controls.find(({ phase }) => phase === 'validate')
  if (!control) throw new Error('the plugin has no control')
  return control
}

/** The fastest of many short rounds: slower ones were disturbed. */
function microseconds(control: AdmissionDefinition): number {
  let quickest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint()
    for (let call = 0; call < calls; call++) control.review(request, {}, 'validate')
    quickest = Math.min(quickest, Number(process.hrtime.bigint() - start) / 1000 / calls)
  }
  return quickest
}

const folder = mkdtempSync(join(tmpdir(), 'orch-wasm-cost-'))
try {
  const tiny = replyModule('{"allowed":true}', { module: { memory: [1] }, alloc: op.i32(32_768) })
  const control = { name: 'Tiny', phase: 'validate', function: 'run' }
  const one = await controlOf(tiny, { abi: 1, name: 'tiny', admission: [control] })
  console.log(`a module that only replies:  ${microseconds(one).toFixed(1)} µs a review`)

  const here = join(process.cwd(), 'examples', 'recipes-wasm')
  const compiled = join(folder, 'recipes.wasm')
  const compiler = join(process.cwd(), 'node_modules', 'assemblyscript', 'bin', 'asc.js')
  const flags = ['assembly/index.ts', '--outFile', compiled, '--runtime', 'stub', '--optimize']
  execFileSync(process.execPath, [compiler, ...flags], { cwd: here })
  const { orch } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  const policy = await controlOf(readFileSync(compiled), orch)
  console.log(`the policy of the example:   ${microseconds(policy).toFixed(1)} µs a review`)
} finally {
  rmSync(folder, { recursive: true })
}
