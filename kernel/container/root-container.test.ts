import { type Logger, services, serviceToken } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BootError } from '../contracts/boot-errors.js'
import { Registry } from '../registry/registry.js'
import { providePluginServices } from './provide-plugin-services.js'
import { RootContainer } from './root-container.js'

const container = suite('container')

const isProblem = (code: string, plugin: string) => (thrown: unknown) =>
  thrown instanceof BootError && thrown.problems[0]?.code === code && thrown.problems[0].plugin === plugin

/** A logger that keeps the fields it was given. */
const fakeLogger = (fields: Record<string, unknown> = {}): Logger & { fields: Record<string, unknown> } => ({
  fields,
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: more => fakeLogger({ ...fields, ...more }),
})
const word = serviceToken<string>('word')
const sentence = serviceToken<{ text: string }>('sentence')

container('passes a plugin the instances that it needs', () => {
  const root = new RootContainer()
  root.provide(word, 'hello')
  assert.equal(root.scopeOf('one').resolve({ greeting: word }), { greeting: 'hello' })
  assert.equal(root.scopeOf('one').resolve(undefined), {})
})

container('rejects a second service for one token', () => {
  const root = new RootContainer()
  root.provide(word, 'hello')
  assert.throws(() => root.provide(word, 'again'), /"word" is provided twice/)
  assert.throws(() => root.provideLazily(word, () => 'again'), /"word" is provided twice/)
})

container('isolates kernels from each other', () => {
  new RootContainer().provide(word, 'hello')
  assert.is(new RootContainer().has(word), false)
})

container('provides every plugin with a logger that has its name', () => {
  const root = new RootContainer()
  root.provide(services.logger, fakeLogger())
  const { log } = root.scopeOf('one').resolve({ log: services.logger })
  assert.equal((log as ReturnType<typeof fakeLogger>).fields, { plugin: 'one' })
  assert.is(root.scopeOf('one').resolve({ log: services.logger }).log, log)
})

container('builds a plugin service once, on first use, in the scope of its own plugin', () => {
  const root = new RootContainer()
  root.provide(services.logger, fakeLogger())
  const registry = new Registry()
  const seenBy: unknown[] = []
  registry.registrarFor('provider').service({
    token: sentence,
    needs: { log: services.logger },
    create: ({ log }: { log: Logger }) => {
      seenBy.push((log as ReturnType<typeof fakeLogger>).fields)
      return { text: 'hello' }
    },
  })
  providePluginServices(root, registry)
  assert.equal(seenBy, [])
  const { first } = root.scopeOf('one').resolve({ first: sentence })
  const { second } = root.scopeOf('two').resolve({ second: sentence })
  assert.is(first, second)
  assert.equal(seenBy, [{ plugin: 'provider' }])
})

container('names plugin and service when a service is missing', () => {
  const root = new RootContainer()
  assert.throws(() => root.scopeOf('one').resolve({ w: word }), isProblem('ORCH_SERVICE_MISSING', 'one'))
})

container('prints a cycle of services as a chain', () => {
  const root = new RootContainer()
  root.provideLazily(word, () => root.resolve(sentence).text)
  root.provideLazily(sentence, () => ({ text: root.resolve(word) }))
  assert.throws(() => root.resolve(word), /word -> sentence -> word/)
  assert.throws(() => root.resolve(word), isProblem('ORCH_SERVICE_CYCLE', 'kernel'))
})

container.run()
