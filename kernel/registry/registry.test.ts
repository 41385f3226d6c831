import { defineAdmission, defineController, type ResourceDefinition, serviceToken, Type } from 'orch/sdk'
import { defineAuthorizer } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BootError } from '../contracts/boot-errors.js'
import { Registry } from './registry.js'

const registry = suite('registry')

const aResource = (parts: Partial<ResourceDefinition> = {}): ResourceDefinition => ({
  group: 'acme.test',
  kind: 'Widget',
  resource: 'widgets',
  namespaced: true,
  versions: [{ name: 'v1', schema: Type.Object({}) }],
  ...parts,
})
const aSubresource = (name: string) => ({
  group: 'acme.test',
  resource: 'widgets',
  name,
  subresource: { kind: 'update' as const, strategy: {} },
})
const control = defineAdmission()({ name: 'Control', phase: 'validate', sideEffects: 'none', review() {} })
const route = (path: string, methods?: string[]) => ({
  path,
  ...(methods ? { methods } : {}),
  handle: () => ({ body: '' }),
})
const token = serviceToken<number>('answer')

registry('stores each contribution with the name of its plugin', () => {
  const all = new Registry()
  all.registrarFor('one').resource(aResource())
  all.registrarFor('two').admission(control)
  all.registrarFor('two').onStart({ name: 'first', run() {} }, { name: 'second', run() {} })
  assert.equal(
    all.resources.map(c => [c.plugin, c.definition.kind]),
    [['one', 'Widget']],
  )
  assert.equal(
    all.startTasks.map(c => [c.plugin, c.definition.name]),
    [
      ['two', 'first'],
      ['two', 'second'],
    ],
  )
  assert.is(all.admissions[0]?.definition, control)
  assert.equal(all.problems, [])
})

const controller = defineController({ name: 'loop', start: () => async () => {} })
const authorizer = defineAuthorizer({ mode: 'Always', authorize: () => ({ decision: 'allow' }) })
const authenticator = { name: 'static', kind: 'bearer' as const, authenticate: () => undefined }
const storage = { name: 'memory', open: () => Promise.reject(new Error('never opened')) }
const command = { name: 'hello', summary: 'Says hello.', run: async () => 0 }
const duplicates: Record<
  string,
  { code: string; name: string; register(to: ReturnType<Registry['registrarFor']>): void }
> = {
  kind: {
    code: 'ORCH_KIND_DUPLICATE',
    name: 'Widget.acme.test',
    register: to => to.resource(aResource({ resource: `r${Math.random()}` })),
  },
  resource: {
    code: 'ORCH_RESOURCE_DUPLICATE',
    name: 'widgets.acme.test',
    register: to => to.resource(aResource({ kind: `K${Math.random()}` })),
  },
  subresource: {
    code: 'ORCH_SUBRESOURCE_DUPLICATE',
    name: 'widgets.acme.test/status',
    register: to => to.subresource(aSubresource('status')),
  },
  'admission control': { code: 'ORCH_ADMISSION_DUPLICATE', name: 'Control', register: to => to.admission(control) },
  authenticator: {
    code: 'ORCH_AUTHENTICATOR_DUPLICATE',
    name: 'static',
    register: to => to.authenticator(authenticator),
  },
  'authorization mode': {
    code: 'ORCH_AUTHORIZER_DUPLICATE',
    name: 'Always',
    register: to => to.authorizer(authorizer),
  },
  controller: { code: 'ORCH_CONTROLLER_DUPLICATE', name: 'loop', register: to => to.controller(controller) },
  'storage engine': { code: 'ORCH_STORAGE_DUPLICATE', name: 'memory', register: to => to.storage(storage) },
  'layer of the store': {
    code: 'ORCH_STORE_LAYER_DUPLICATE',
    name: 'shell',
    register: to => to.storeLayer({ name: 'shell', wrap: store => store }),
  },
  'health check': {
    code: 'ORCH_HEALTH_CHECK_DUPLICATE',
    name: 'ping',
    register: to => to.healthCheck({ name: 'ping', check() {} }),
  },
  route: { code: 'ORCH_ROUTE_DUPLICATE', name: 'GET /x', register: to => to.route(route('/x')) },
  command: { code: 'ORCH_COMMAND_DUPLICATE', name: 'hello', register: to => to.command(command) },
  service: { code: 'ORCH_SERVICE_DUPLICATE', name: 'answer', register: to => to.service({ token, create: () => 42 }) },
}
for (const [what, { code, name, register }] of Object.entries(duplicates)) {
  registry(`reports a ${what} that two plugins register, naming both`, () => {
    const all = new Registry()
    register(all.registrarFor('one'))
    register(all.registrarFor('two'))
    assert.equal(
      all.problems.map(p => ({ code: p.code, details: p.details })),
      [{ code, details: { plugin: 'two', first: 'one', name } }],
    )
    assert.match(all.problems[0]?.message ?? '', /"two".*"one"/)
  })
}

registry('adds to a type the subresources of other plugins, with the names of those plugins', () => {
  const all = new Registry()
  all.registrarFor('other').subresource(aSubresource('approval'))
  all.registrarFor('one').resource(aResource({ subresources: { status: { kind: 'update', strategy: {} } } }))
  all.seal()
  const [type] = all.resources
  assert.equal(Object.keys(type?.definition.subresources ?? {}).sort(), ['approval', 'status'])
  assert.equal([type?.plugin, type?.addedBy], ['one', { approval: 'other' }])
})

registry('reports a subresource that the plugin of the type already has', () => {
  const all = new Registry()
  all.registrarFor('one').resource(aResource({ subresources: { status: { kind: 'update', strategy: {} } } }))
  all.registrarFor('two').subresource(aSubresource('status'))
  assert.equal(
    all.problems.map(({ code, details }) => ({ code, details })),
    [
      {
        code: 'ORCH_SUBRESOURCE_DUPLICATE',
        details: { plugin: 'two', first: 'one', name: 'widgets.acme.test/status' },
      },
    ],
  )
})

registry('allows two plugins to share a path if their methods differ', () => {
  const all = new Registry()
  all.registrarFor('one').route(route('/x', ['GET']))
  all.registrarFor('two').route(route('/x', ['POST']))
  assert.equal(all.problems, [])
  all.registrarFor('three').route(route('/x'))
  assert.equal(
    all.problems.map(p => p.code),
    ['ORCH_ROUTE_DUPLICATE'],
  )
})

registry('treats tokens of one name as one service, wherever they were created', () => {
  const all = new Registry()
  all.registrarFor('one').service({ token: serviceToken<number>('same'), create: () => 1 })
  all.registrarFor('two').service({ token: serviceToken<number>('same'), create: () => 2 })
  assert.equal(
    all.problems.map(({ code, details }) => [code, details]),
    [['ORCH_SERVICE_DUPLICATE', { plugin: 'two', first: 'one', name: 'same' }]],
  )
})

registry('rejects additions after it is sealed', () => {
  const all = new Registry()
  const late = all.registrarFor('late')
  all.seal()
  assert.throws(
    () => late.resource(aResource()),
    (thrown: unknown) =>
      thrown instanceof BootError &&
      thrown.problems[0]?.code === 'ORCH_REGISTRY_SEALED' &&
      thrown.problems[0].plugin === 'late',
  )
  assert.is(all.resources.length, 0)
})

registry.run()
