/** Plugins that mean harm in every place where code of a plugin runs, for hostile-places.test.ts. */

export interface Variant {
  readonly place: Place
  /** What the code at that place does. */
  readonly code: string
  /** What the status, the log or the answer says of it. */
  readonly said: RegExp
}
type Place = 'import' | 'register' | 'prepare' | 'validate' | 'start' | 'timer'

/** A message on the link to the server, past the sdk. */
const send = (message: string) =>
  `const body = Buffer.from(${JSON.stringify(message)}), head = Buffer.alloc(4); head.writeUInt32BE(body.length); node('fs').writeSync(3, Buffer.concat([head, body]))`

const faults = {
  loop: ['for (;;) {}', /not loaded in time|not answer/],
  never: ['return new Promise(() => {})', /not loaded in time|not answer/],
  exit: ['process.exit(7)', /exited with code 7/],
  abort: ['process.abort()', /aborted|SIGABRT/],
  throws: ["throw new Error('planted')", /planted/],
  'throws later': [
    "setTimeout(() => { throw new Error('planted') }); return new Promise(() => {})",
    /planted|not answer/,
  ],
  rejects: ["void Promise.reject(new Error('planted')); return new Promise(() => {})", /planted|not answer/],
  heap: [
    'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))',
    /its process|MB of memory|not answer/,
  ],
  buffers: ['const all = []; for (;;) all.push(Buffer.alloc(4e6, 1))', /its process|MB of memory|not answer/],
  garbage: ["node('fs').writeSync(3, 'garbage, and more of it')", /a message of \d+ bytes/],
  'no list': [send('{}'), /a message that is not a list/],
  'a list of nothing': [send('[null]'), /a message that is not an object/],
  'no message': [send('[{"t":5}]'), /a message without a topic/],
  'an unknown message': [send('[{"t":"shutdown","c":{}}]'), /which has no handler/],
  'an answer to nothing': [send('[{"a":987654,"c":{}}]'), /an answer to no pending call/],
  'no JSON': [send('[{"t":'), /a message that is not JSON/],
} as const satisfies Readonly<Record<string, readonly [code: string, said: RegExp]>>

const at = (place: Place, ...names: readonly (keyof typeof faults)[]): [string, Variant][] =>
  names.map(name => [`${place}: ${name}`, { place, code: faults[name][0], said: faults[name][1] }])

/** It cannot be loaded, and the status says why. */
export const notLoaded: Readonly<Record<string, Variant>> = Object.fromEntries([
  ...at('import', 'loop', 'exit', 'abort', 'throws', 'buffers', 'garbage', 'an unknown message'),
  ...at('register', 'exit', 'throws', 'no list', 'an answer to nothing'),
  ...at('start', 'never', 'exit', 'throws'),
])

/** It is loaded, and fails when an object of its type is created: the request names the plugin, and the status says why. */
export const failing: Readonly<Record<string, Variant>> = Object.fromEntries([
  ...at('prepare', 'loop', 'exit', 'heap', 'throws later', 'a list of nothing'),
  ...at('validate', 'never', 'abort', 'buffers', 'rejects', 'no message', 'no JSON'),
])

/** It is loaded, and fails by itself; the status says so. */
export const failingAlone: Readonly<Record<string, Variant>> = Object.fromEntries([
  ...at('timer', 'loop', 'exit', 'throws', 'rejects', 'buffers', 'garbage'),
])

/** A plugin with a type, a loop and a timer, one of which runs this code. */
export const sourceOf = (name: string, { place, code }: Variant): string => `
import { definePlugin, defineResource, embedded, field, Kind, strategyForSpec, Struct, Text } from 'orch/sdk'
const node = module => process.getBuiltinModule(module)
const at = place => { if (place === '${place}') { ${code} } }
const Thing = Kind('${name}.v1.Thing', {
  spec: embedded(2, Struct('${name}.v1.ThingSpec', { text: field(1, Text()) })),
})
at('import')
export default definePlugin({
  name: '${name}',
  register(to) {
    at('register')
    to.resource(defineResource({
      group: '${name}.test', kind: 'Thing', resource: 'things', namespaced: false,
      versions: [{ name: 'v1', schema: Thing }],
      strategy: strategyForSpec({ prepareForCreate: () => at('prepare'), validate: () => at('validate') ?? [] }),
    }))
    to.controller({
      name: '${name}-loop',
      rules: [],
      start() {
        const timer = setInterval(() => at('timer'), 300)
        const stop = async () => clearInterval(timer)
        const started = at('start')
        return started ? started.then(() => stop) : stop
      },
    })
  },
})
`
