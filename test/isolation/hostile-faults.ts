import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programFor } from '../support/orch-program.js'

/** Malicious plugins, in every place where code of a plugin runs, for hostile-plugins.test.ts. */

export interface Variant {
  readonly place: Place
  /** The code at that place. */
  readonly code: string
  /** The expected text in the status, the log or the response. */
  readonly said: RegExp
}
type Place = 'import' | 'register' | 'start' | 'prepare' | 'validate' | 'review' | 'reconcile' | 'timer' | 'stop'

/** Sends a message on the link to the server, bypassing the sdk. */
const send = (message: string) =>
  `const body = Buffer.from(${JSON.stringify(message)}), head = Buffer.alloc(4); head.writeUInt32BE(body.length); node('fs').writeSync(3, Buffer.concat([head, body]))`

const notAnswering = /not loaded in time|not answer|not respond/
const tooMuch = /its process|MB of memory|not answer/
const faults = {
  loop: ['for (;;) {}', notAnswering],
  // An endless loop without CPU use. Loading may take long on a busy machine, so it is not stopped early.
  waits: [
    'for (const never = new Int32Array(new SharedArrayBuffer(4)); ; ) Atomics.wait(never, 0, 0, 1000)',
    notAnswering,
  ],
  never: ['return new Promise(() => {})', notAnswering],
  exit: ['process.exit(7)', /exited with code 7/],
  abort: ['process.abort()', /aborted|SIGABRT/],
  throws: ["throw new Error('planted')", /planted/],
  'throws later': [
    "setTimeout(() => { throw new Error('planted') }); return new Promise(() => {})",
    /planted|not answer/,
  ],
  rejects: ["void Promise.reject(new Error('planted')); return new Promise(() => {})", /planted|not answer/],
  heap: ['const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))', tooMuch],
  buffers: ['const all = []; for (;;) all.push(Buffer.alloc(4e6, 1))', tooMuch],
  // A little in every turn, so that the process still responds.
  leaks: [
    'const all = []; setInterval(() => all.push(Buffer.alloc(8e6, 1)), 5); return new Promise(() => {})',
    tooMuch,
  ],
  flood: [
    'for (let i = 0; i < 60000; i++) logger.info("water"); return new Promise(() => {})',
    /messages in a second|a message of|not answer/,
  ],
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

/** Plugins that cannot be loaded; the status has the reason. */
export const notLoaded: Readonly<Record<string, Variant>> = Object.fromEntries([
  ...at('import', 'waits', 'exit', 'abort', 'throws', 'buffers', 'garbage', 'an unknown message'),
  ...at('register', 'exit', 'throws', 'no list', 'an answer to nothing'),
  ...at('start', 'never', 'exit', 'throws'),
])

/** Plugins that fail when an object of their type is created: the response names the plugin, and the status has the reason. */
export const failing: Readonly<Record<string, Variant>> = Object.fromEntries([
  ...at('prepare', 'waits', 'exit', 'heap', 'throws later', 'a list of nothing'),
  ...at('validate', 'never', 'abort', 'buffers', 'rejects', 'no message', 'no JSON'),
  ...at('review', 'loop', 'never', 'exit', 'heap', 'buffers', 'throws later', 'rejects', 'flood', 'garbage', 'no list'),
])

/** Plugins that fail in the background, or when their loop gets an object; the status reports it. */
export const failingAlone: Readonly<Record<string, Variant>> = Object.fromEntries([
  ...at('timer', 'waits', 'exit', 'throws', 'rejects', 'buffers', 'garbage'),
  ...at('reconcile', 'loop', 'exit', 'throws later', 'leaks', 'an answer to nothing'),
])

/** Plugins that resist being unloaded; the log reports it. */
export const staying: Readonly<Record<string, Variant>> = Object.fromEntries([
  ...at('stop', 'waits', 'never', 'throws', 'exit', 'leaks'),
  ...at('reconcile', 'never'),
])

/** By URL: a module that Node can import directly loads in half the time. */
const ofProgram = (module: string) => pathToFileURL(join(dirname(programFor([])), '..', module)).href
const sdk = ofProgram('sdk/index.js')
const controllers = ofProgram('sdk/controllers/index.js')

/** A plugin with a type, a control, a loop and a timer, one of which runs this code. */
export const sourceOf = (name: string, { place, code }: Variant): string => `
import { definePlugin, defineResource, embedded, field, Kind, services, strategyForSpec, Struct, Text } from '${sdk}'
import { defineControlLoop } from '${controllers}'
const node = module => process.getBuiltinModule(module)
let logger
const at = place => { if (place === '${place}') { ${code} } }
const Thing = Kind('${name}.v1.Thing', {
  spec: embedded(2, Struct('${name}.v1.ThingSpec', { text: field(1, Text()) })),
})
const things = { group: '${name}.test', version: 'v1', resource: 'things' }
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
    to.admission({
      name: '${name}-control',
      phase: 'validate',
      sideEffects: 'none',
      matches: { group: '${name}.test', resource: 'things', operations: ['create'] },
      needs: { logger: services.logger },
      review: (request, needed) => {
        logger = needed.logger
        return at('review')
      },
    })
    to.controller(defineControlLoop({
      name: '${name}-loop',
      rules: [{ apiGroups: ['${name}.test'], resources: ['things'], verbs: ['list', 'watch'] }],
      setUp() {
        const timer = setInterval(() => at('timer'), 300)
        const stop = () => {
          clearInterval(timer)
          return at('stop')
        }
        const parts = { sources: [{ resource: things }], reconcile: () => at('reconcile'), stop }
        return at('start') ?? parts
      },
    }))
  },
})
`
