import { definePlugin, type Registrar, Type } from 'orch/sdk'
import firstParty from '../../../orch.config.js'
import { definitionsIn, fixtures } from './first-party.js'

/** Passes on only what controls need: the controls, the services of their plugins, and the start tasks that fill those services. */
const onlyControls = (to: Registrar, tasks: readonly string[]): Registrar => {
  const ignored = () => {}
  return {
    ...Object.assign({}, ...registering.map(name => ({ [name]: ignored }))),
    admission: (...definitions) => to.admission(...definitions),
    service: (...definitions) => to.service(...definitions),
    onStart: (...definitions) => to.onStart(...definitions.filter(({ name }) => tasks.includes(name))),
  }
}
const registering: readonly (keyof Registrar)[] = [
  'resource',
  'subresource',
  'typeSource',
  'authenticator',
  'authorizer',
  'controller',
  'storage',
  'storeLayer',
  'healthCheck',
  'route',
  'command',
  'consolePage',
  'startNotice',
]
/** Start tasks that load the configuration of controls. */
const fillingTasks = ['policies', 'webhooks', 'conditions of webhooks']

/** The admission controls of all first-party plugins, for one separate process. */
export const isolatedControls = definePlugin({
  name: 'isolated-controls',
  proposed: ['sharedWork'],
  options: Type.Object({
    /** The options of each plugin, as the server reads them. */
    optionsByPlugin: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), { default: {} }),
    enabledGates: Type.Array(Type.String(), { default: [] }),
  }),
  permissions: {
    resources: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    // The receiver of webhooks.
    network: ['127.0.0.1'],
    files: { read: [fixtures] },
    services: ['authorizer'],
  },
  register(to, { vendor, options }) {
    for (const { name, register } of definitionsIn(firstParty))
      register(onlyControls(to, fillingTasks), {
        vendor,
        options: options.optionsByPlugin[name] ?? {},
        isEnabled: gate => options.enabledGates.includes(gate),
      })
  },
})
