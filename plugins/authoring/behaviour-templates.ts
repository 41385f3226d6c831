import { followRule, permissionLines } from './permission-templates.js'
import type { PluginNames } from './plugin-names.js'
import { variableOf } from './resource-templates.js'

/** The files with behaviour: an admission control, a control loop, and the plugin that registers everything. */

export const controlFile = ({
  kind,
  resource,
}: PluginNames) => `import { defineAdmission, reject, services } from 'orch/sdk'
import { group, type ${kind} } from './schema.js'

/** Limits the total size in a namespace. A rule about other objects or about the user is admission, not validation. */
export const ${variableOf(kind)}Limit = (most: number) =>
  defineAdmission<${kind}>()({
    name: '${kind}Limit',
    phase: 'validate',
    sideEffects: 'none',
    matches: { group, resource: '${resource}', operations: ['create', 'update'] },
    needs: { reader: services.reader },
    async review({ object, namespace, name }, { reader }) {
      const others = await reader.list<${kind}>({ group, resource: '${resource}' }, namespace)
      const taken = others.filter(({ metadata }) => metadata?.name !== name)
      const total = [...taken, object].reduce((sum, { spec }) => sum + (spec.size ?? 0), 0)
      if (total > most) return reject('the total size would be ' + total + ', at most ' + most + ' is allowed')
    },
  })
`

export const loopFile = (names: PluginNames) => {
  const { kind, single, variable, resource } = names
  return `import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import { ${variable} } from './resource.js'
import { group, type ${kind} } from './schema.js'

const ref = { group, version: 'v1', resource: '${resource}' }

/** Reconciles the status with the spec. */
export const ${variableOf(kind)}Loop = defineControlLoop({
  name: '${single}-loop',
  rules: [
    { verbs: ['update'], apiGroups: [group], resources: ['${resource}/status'] },${followRule(names, 'group', [resource])}
  ],
  sources: [{ resource: ref }],
  async reconcile(key, caches, { client }) {
    const { namespace, name } = splitKey(key)
    const found = caches.of<${kind}>(ref).get(namespace, name)
    const ready = found?.spec.size
    if (!found || found.metadata?.deletionTimestamp || found.status?.ready === ready) return
    // A conflict throws, and the loop retries with the current object.
    await client.of(${variable}).in(namespace).updateSubresource('status', { ...found, status: { ready } })
  },
})
`
}

export const pluginFile = ({
  plugin,
  kind,
  single,
  variable,
  resource,
  group,
}: PluginNames) => `import { type ConformanceSamples, definePlugin, Type } from 'orch/sdk'
import { ${variableOf(kind)}Limit } from './${single}-limit.js'
import { ${variableOf(kind)}Loop } from './${single}-loop.js'
import { ${variable} } from './resource.js'
import { group, type ${kind} } from './schema.js'

export const ${variable}Plugin = definePlugin({
  name: '${plugin}',
  sdk: '^1.0.0',
${permissionLines(`{
    // The limit counts existing objects.
    resources: [{ verbs: ['list'], apiGroups: [group], resources: ['${resource}'] }],
  }`)}  options: Type.Object({
    ${variableOf(kind)}Limit: Type.Integer({ minimum: 1, default: 1000, description: 'Total size in a namespace.' }),
  }),
  register(to, { options }) {
    to.resource(${variable})
    to.admission(${variableOf(kind)}Limit(options.${variableOf(kind)}Limit))
    to.controller(${variableOf(kind)}Loop)
  },
})

/** Samples for "orch conformance", in addition to random objects. */
export const conformance = {
  samples: {
    '${resource}.${group}': {
      valid: () => ({ spec: { size: 2, parts: [{ name: 'lid' }] } }),
      invalid: {
        'a part without a name': (object: ${kind}) => void Object.assign(object, { spec: { parts: [{ name: '' }] } }),
      },
      update: (object: ${kind}) => void Object.assign(object, { spec: { ...object.spec, color: 'blue' } }),
    },
  },
} satisfies ConformanceSamples
`
