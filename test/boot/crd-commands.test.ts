import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { customResources } from 'orch/plugins/custom-resources'
import { namespaces } from 'orch/plugins/namespaces'
import { webhooks } from 'orch/plugins/webhooks'
import type { ApiError, ApiObject, CommandContext } from 'orch/sdk'
import { readYaml } from 'orch/sdk/files'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../kernel/boot/load-module.js'
import { crdCommand } from '../../plugins/authoring/crd-command.js'
import { newCommand } from '../../plugins/authoring/new-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)

/** Runs a command of the binary in this process, because separate processes would take seconds. */
async function orch(workingDir: string, command: string, ...words: string[]) {
  let [out, err] = ['', '']
  const host = { packageRoot } as CommandContext['host']
  const context = {
    workingDir,
    host,
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  }
  const code = await { crd: crdCommand, new: newCommand }[command]!.run(words, context)
  return { code, out, err }
}

/** A plugin with a field of every kind. */
const source = `
import { Bool, Double, embedded, field, Int32, Int64, IntOrString, Kind, ListOf, MapList, MapOf, Quantity, required, SetList,
  StringMap, Struct, Text, Time, Unstructured, definePlugin, defineResource } from 'orch/sdk'
const Port = Struct('boxes.v1.Port', { name: required(1, Text({ minLength: 1 })), port: field(2, Int32({ maximum: 65535 })) })
const Spec = Struct('boxes.v1.BoxSpec', {
  color: field(1, Text({ enum: ['red', 'blue'], default: 'red' })),
  size: field(2, Int32({ minimum: 1, maximum: 100 })),
  label: field(3, Text({ pattern: '^[a-z]*$', maxLength: 5 })),
  ports: field(4, MapList(Port, 'name')),
  tags: field(5, SetList(Text())),
  words: field(6, ListOf(Text(), { maxItems: 2 })),
  limits: field(7, MapOf(Quantity())),
  notes: field(8, StringMap()),
  target: field(9, IntOrString()),
  open: field(10, Unstructured()),
  isOn: field(11, Bool()),
  weight: field(12, Double()),
  count: field(13, Int64()),
  since: field(14, Time()),
})
const Box = Kind('boxes.v1.Box', { spec: embedded(2, Spec), status: field(3, Struct('boxes.v1.BoxStatus', { ready: field(1, Bool()) })) })
export const boxes = definePlugin({
  name: 'boxes',
  register: to => to.resource(defineResource({
    group: 'boxes.example.com', kind: 'Box', resource: 'boxes', shortNames: ['bx'], namespaced: false,
    versions: [{ name: 'v1', schema: Box }], subresources: { status: { kind: 'update', strategy: {} } },
  })),
})
`
const taken: Record<string, object> = {
  'nothing but a name': {},
  'a value of every field': {
    ...{ color: 'blue', size: 7, label: 'abc', ports: [{ name: 'a', port: 1 }, { name: 'b' }], tags: ['x', 'y'] },
    ...{
      words: ['a', 'b'],
      limits: { cpu: '100m', memory: '1Gi' },
      notes: { k: 'v' },
      target: 'http',
      open: { a: [1] },
    },
    ...{ isOn: true, weight: 1.5, count: 9, since: '2030-01-01T00:00:00Z' },
  },
  'a number where a number or a string may be': { target: 80 },
}
const refused: Record<string, object> = {
  'a value that is not in the list': { color: 'green' },
  'a number that is too small': { size: 0.5 },
  'a number that is too large': { size: 101 },
  'a string for a number': { size: 'seven' },
  'a text that does not match': { label: 'ABC' },
  'a text that is too long': { label: 'abcdef' },
  'a number for a text': { label: 5 },
  'an item without a name': { ports: [{ name: '' }] },
  'a number in an item that is too large': { ports: [{ name: 'a', port: 70_000 }] },
  'too many items': { words: ['a', 'b', 'c'] },
  'a list where a map belongs': { notes: ['x'] },
  'a map where a list belongs': { tags: { a: 'b' } },
  'a map of other values': { notes: { k: { deep: 1 } } },
  'no quantity': { limits: { cpu: 'much' } },
  'neither a number nor a string': { target: true },
  'a string for an object': { open: 'x' },
  'a text for a boolean': { isOn: 'yes' },
  'no time': { since: 'yesterday' },
}

const commands = suite('types of plugins and definitions')
const { path: folder, remove } = temporaryFolder()
commands.after(remove)

const installed = (where: string): void => {
  mkdirSync(join(where, 'node_modules'), { recursive: true })
  symlinkSync(packageRoot, join(where, 'node_modules/orch'))
  symlinkSync(join(packageRoot, 'node_modules/@types'), join(where, 'node_modules/@types'))
}
const boxesOf = ({ client }: TestServer) =>
  client.resource<ApiObject>({ group: 'boxes.example.com', version: 'v1', resource: 'boxes' })
/** The outcome of a spec: the stored one, or that it was rejected. */
async function outcome(server: TestServer, spec: object): Promise<unknown> {
  try {
    return (await boxesOf(server).create({ metadata: { generateName: 'a-' }, spec }))['spec']
  } catch (error) {
    const { code } = error as ApiError
    assert.ok(code === 400 || code === 422, String(error))
    return 'refused'
  }
}

commands(
  'a type that is printed as a definition and turned into a plugin again accepts and rejects the same objects',
  async () => {
    writeFileSync(join(folder, 'plugin.ts'), source)
    installed(folder)
    const printed = await orch(folder, 'crd', 'print', './plugin.ts')
    assert.equal([printed.code, printed.err], [0, ''])
    writeFileSync(join(folder, 'boxes.yaml'), printed.out)
    const made = await orch(folder, 'new', 'plugin', 'crates', '--from', 'boxes.yaml')
    assert.equal([made.code, made.err.includes('spec.limits{}: pattern')], [0, true], made.err)
    installed(join(folder, 'crates'))
    const tsc = join(packageRoot, 'node_modules/.bin/tsc')
    const compiled = await run(tsc, ['-p', '.'], { cwd: join(folder, 'crates') }).catch((e: { stdout: string }) => e)
    assert.is(compiled.stdout, '')
    const again = await orch(join(folder, 'crates'), 'crd', 'print', './plugin.ts')
    const [definition] = readYaml(printed.out).documents as ApiObject[]

    const servers = await Promise.all([
      startServer({ plugins: [join(folder, 'plugin.ts')] }),
      startServer({ plugins: [namespaces, webhooks, customResources] }),
      startServer({ plugins: [join(folder, 'crates/plugin.ts')] }),
    ])
    try {
      const definitions = servers[1]!.client.resource<ApiObject>({
        group: 'apiextensions.orch.io',
        version: 'v1',
        resource: 'customresourcedefinitions',
      })
      await definitions.create(definition!)
      await definitions.waitFor('boxes.boxes.example.com', isEstablished, { timeoutMs: 20_000 })
      for (const [title, spec] of Object.entries(taken)) {
        const [plugin, data, remade] = await Promise.all(servers.map(server => outcome(server, spec)))
        assert.equal(plugin, { color: 'red', ...spec }, title)
        assert.equal(data, plugin, `as a definition: ${title}`)
        assert.equal(remade, plugin, `as a plugin again: ${title}`)
      }
      for (const [title, spec] of Object.entries(refused)) {
        const [plugin, data, remade] = await Promise.all(servers.map(server => outcome(server, spec)))
        assert.is(plugin, 'refused', title)
        assert.is(data, 'refused', `as a definition: ${title}`)
        // The sdk has no option for the expression on an int-or-string field; the command has reported that.
        if (!('limits' in spec)) assert.is(remade, 'refused', `as a plugin again: ${title}`)
      }
    } finally {
      for (const server of servers) await server.stop()
    }
    assert.is(again.code, 0, again.err)
  },
)
const isEstablished = ({ status }: ApiObject) =>
  (status as { conditions?: { type: string; status: string }[] | null }).conditions?.some(
    condition => condition.type === 'Established' && condition.status === 'True',
  ) ?? false

const elaborate = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gnomes.garden.example.com }
spec:
  group: garden.example.com
  scope: Namespaced
  names: { plural: gnomes, kind: Gnome }
  versions:
  - name: v2
    served: true
    storage: true
    subresources: { status: {}, scale: { specReplicasPath: .spec.size, statusReplicasPath: .status.size } }
    additionalPrinterColumns:
    - { name: Size, type: integer, jsonPath: .spec.size }
    - { name: First, type: string, jsonPath: '.spec.hats[0].color' }
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        x-kubernetes-validations: [{ rule: self.spec.size < 10 }]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: { type: integer, multipleOf: 2 }
              hats:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [color]
                  properties: { color: { type: string }, name: { type: string, default: plain } }
  - name: v1
    served: true
    storage: false
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`
commands('a definition becomes a plugin with the same requirements, and omissions are reported', async () => {
  writeFileSync(join(folder, 'gnomes.yaml'), elaborate)
  const { code, err } = await orch(folder, 'new', 'plugin', '--from', 'gnomes.yaml')
  assert.is(code, 0, err)
  assert.ok(err.includes('spec.size: multipleOf 2'), err)
  for (const said of ['validations', 'scale', 'column']) assert.not.ok(err.includes(said), `${said} in ${err}`)
  assert.match(readFileSync(join(folder, 'gnomes/rules.ts'), 'utf8'), /multipleOf 2/)
  installed(join(folder, 'gnomes'))
  const server = await startServer({
    plugins: [namespaces, webhooks, customResources, join(folder, 'gnomes/plugin.ts')],
  })
  try {
    const { client } = server
    await client.resource({ group: '', version: 'v1', resource: 'namespaces' }).create({ metadata: { name: 'town' } })
    const gnomes = client.resource<ApiObject>({ group: 'garden.example.com', version: 'v2', resource: 'gnomes' })
    const create = (spec: object | undefined) =>
      gnomes.in('town').create({ metadata: { generateName: 'a-' }, ...(spec ? { spec } : {}) })
    const fieldsOf = (spec: object | undefined) =>
      create(spec).then(
        () => [],
        (error: ApiError) => error.details?.causes?.map(({ field }) => field),
      )
    assert.equal(await fieldsOf({ size: 2, hats: [{ color: '' }] }), [])
    assert.equal(await fieldsOf(undefined), ['spec'])
    assert.equal(await fieldsOf({ hats: [{ color: 'red' }, { name: 'b' }] }), ['spec.size', 'spec.hats[1].color'])
    // The CEL rule, lists, scale and columns are those of the definition.
    assert.equal(await fieldsOf({ size: 10 }), ['<nil>'])
    const hat = { name: 'a', color: 'red' }
    assert.equal(await fieldsOf({ size: 2, hats: [hat, { ...hat, color: 'blue' }] }), ['spec.hats[1]'])
    const { metadata } = await create({ size: 2, hats: [hat] })
    await gnomes.in('town').patch(metadata.name!, { spec: { replicas: 4 } }, { subresource: 'scale' })
    assert.is(((await gnomes.in('town').get(metadata.name!))['spec'] as { size: number }).size, 4)
    const again = await orch(join(folder, 'gnomes'), 'crd', 'print', './plugin.ts')
    const [printed] = readYaml(again.out).documents as { spec: { versions: Record<string, unknown>[] } }[]
    const [{ subresources, additionalPrinterColumns } = {}] = printed!.spec.versions
    assert.equal(subresources, {
      status: {},
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
    })
    assert.equal(additionalPrinterColumns, [
      { name: 'Size', type: 'integer', description: 'Size', jsonPath: '.spec.size' },
      { name: 'First', type: 'string', description: 'First', jsonPath: '.spec.hats[0].color' },
    ])
  } finally {
    await server.stop()
  }
})

commands('types that cannot be printed or converted are rejected, and nothing is written', async () => {
  const nothing = await orch(folder, 'crd', 'print', 'orch/plugins/namespaces')
  assert.equal([nothing.code, nothing.out], [1, ''])
  assert.match(nothing.err, /left out: Namespace is in a group without a domain/)
  for (const words of [[], ['write', './plugin.ts'], ['print', './plugin.ts', '--wide']])
    assert.is((await orch(folder, 'crd', ...words)).code, 2, words.join(' '))
  writeFileSync(join(folder, 'other.yaml'), 'kind: ConfigMap\n')
  for (const file of ['other.yaml', 'none.yaml']) {
    const { code, err } = await orch(folder, 'new', 'plugin', 'empty', '--from', file)
    assert.equal([code, /cannot generate a plugin/.test(err)], [2, true], err)
  }
})

commands.run()
