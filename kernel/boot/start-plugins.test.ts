import type { Logger, StartTask } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RootContainer } from '../container/root-container.js'
import { BootError } from '../contracts/boot-errors.js'
import { Registry } from '../registry/registry.js'
import { isControllerOn, PluginLifecycle } from './start-plugins.js'

const lifecycle = suite('plugin lifecycle')

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent }
const start = async (registry: Registry, more: { controllers?: string[]; logger?: Logger } = {}) => {
  const request = { registry, root: new RootContainer(), logger: silent, controllers: ['*'], timeoutMs: 50, ...more }
  const running = new PluginLifecycle(request)
  await running.runStartTasks()
  await running.startControllers()
  return running
}

/** A registry whose start tasks and controllers record what happens to them. */
function recording(): { registry: Registry; events: string[]; task(name: string): StartTask } {
  const events: string[] = []
  const task = (name: string): StartTask => ({
    name,
    async run() {
      events.push(`start ${name}`)
      return async () => void events.push(`stop ${name}`)
    },
  })
  return { registry: new Registry(), events, task }
}
const problemOf = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (thrown) {
    if (thrown instanceof BootError) return thrown.problems[0]
    throw thrown
  }
  throw new Error('nothing was thrown')
}

lifecycle('runs start tasks, then controllers, in order, and stops them in reverse, once', async () => {
  const { registry, events, task } = recording()
  registry
    .registrarFor('one')
    .controller({ name: 'loop', start: task('loop').run as () => Promise<() => Promise<void>> })
  registry.registrarFor('one').onStart(task('a'))
  registry.registrarFor('two').onStart(task('b'))
  const running = await start(registry)
  await Promise.all([running.stop(), running.stop()])
  assert.equal(events, ['start a', 'start b', 'start loop', 'stop loop', 'stop b', 'stop a'])
})

lifecycle('stops what already runs when a start fails, and names the plugin', async () => {
  const { registry, events, task } = recording()
  registry.registrarFor('good').onStart(task('a'))
  registry.registrarFor('bad').onStart({
    name: 'explode',
    run() {
      throw new Error('no such file')
    },
  })
  registry.registrarFor('after').onStart(task('never'))
  const failure = await problemOf(start(registry))
  assert.is(failure?.code, 'ORCH_START_FAILED')
  assert.equal(failure?.details, { plugin: 'bad', task: 'start task "explode"', why: 'no such file' })
  assert.equal(events, ['start a', 'stop a'])
})

lifecycle('names the plugin whose start never finishes, and closes what it opens afterwards', async () => {
  const { registry, events } = recording()
  let finish: (close: () => Promise<void>) => void = () => {}
  registry.registrarFor('slow').onStart({ name: 'wait', run: () => new Promise(resolve => void (finish = resolve)) })
  const failure = await problemOf(start(registry))
  assert.is(failure?.code, 'ORCH_START_TIMEOUT')
  assert.is(failure?.plugin, 'slow')
  finish(async () => void events.push('closed'))
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(events, ['closed'])
})

lifecycle('continues stopping when one stop fails or hangs, and logs which', async () => {
  const { registry, events, task } = recording()
  const logged: unknown[] = []
  const logger: Logger = { ...silent, error: (_, fields) => void logged.push(fields?.['plugin']) }
  registry.registrarFor('first').onStart(task('a'))
  registry.registrarFor('hangs').onStart({ name: 'b', run: () => () => new Promise(() => {}) })
  registry.registrarFor('fails').onStart({ name: 'c', run: () => () => Promise.reject(new Error('stuck')) })
  const running = await start(registry, { logger })
  await running.stop()
  assert.equal(logged, ['fails', 'hangs'])
  assert.equal(events, ['start a', 'stop a'])
})

lifecycle('starts only the controllers that --controllers selects', async () => {
  const { registry, events, task } = recording()
  const controller = (name: string, enabledByDefault?: boolean) => ({
    name,
    ...(enabledByDefault === undefined ? {} : { enabledByDefault }),
    start: task(name).run as () => Promise<() => Promise<void>>,
  })
  registry.registrarFor('one').controller(controller('on'), controller('off', false), controller('unwanted'))
  const running = await start(registry, { controllers: ['*', '-unwanted', 'off'] })
  await running.stop()
  assert.equal(events.slice(0, 2), ['start on', 'start off'])
  assert.is(isControllerOn('on', true, ['other']), false)
})
lifecycle.run()
