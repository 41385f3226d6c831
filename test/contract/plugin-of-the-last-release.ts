import {
  type ApiObject,
  defineAdmission,
  definePlugin,
  defineResource,
  embedded,
  field,
  invalidValue,
  Kind,
  Struct,
  services,
  Text,
} from 'orch/sdk'
import { defineControlLoop } from 'orch/sdk/controllers'
import { nameIsDnsLabel } from 'orch/sdk/validation'

/**
 * A plugin that a third-party author wrote for the last release of the sdk. The tests compile it against the declarations of that
 * release. If it has to be changed, so do other plugins: then the entry point needs a new major version.
 */
const Boat = Kind('harbour.v1.Boat', {
  spec: embedded(2, Struct('harbour.v1.BoatSpec', { berth: field(1, Text()), flag: field(2, Text()) })),
})
interface Boat extends ApiObject {
  spec: { berth?: string; flag?: string }
}
const group = 'harbour.test'
const check = ({ spec }: Boat) =>
  spec.berth === undefined || nameIsDnsLabel(spec.berth, false).length === 0
    ? []
    : [invalidValue('spec.berth', spec.berth, 'must be a berth')]

const boats = defineResource({
  group,
  kind: 'Boat',
  resource: 'boats',
  namespaced: false,
  versions: [{ name: 'v1', schema: Boat }],
  strategy: { validate: check, validateUpdate: check },
})

const flagged = defineAdmission<Boat>()({
  name: 'Flagged',
  phase: 'mutate',
  sideEffects: 'none',
  matches: { group, resource: 'boats', operations: ['create'] },
  needs: { vendor: services.vendor },
  review({ object }, { vendor }) {
    if (object && object.spec.flag === undefined) object.spec.flag = vendor.name
  },
})

export const harbour = definePlugin({
  name: 'harbour',
  sdk: '^1.0.0',
  register(to) {
    to.resource(boats)
    to.admission(flagged)
    to.controller(
      defineControlLoop({
        name: 'harbour-master',
        rules: [{ apiGroups: [group], resources: ['boats'], verbs: ['get', 'list', 'watch'] }],
        sources: [{ resource: { group, version: 'v1', resource: 'boats' } }],
        async reconcile() {},
      }),
    )
    to.healthCheck({ name: 'harbour', check() {} })
  },
})

export const conformance = {
  samples: {
    [`boats.${group}`]: {
      valid: () => ({ spec: { berth: 'north' } }),
      invalid: { 'a berth with spaces': (boat: Boat) => void (boat.spec = { berth: 'at the north' }) },
      update: (boat: Boat) => void (boat.spec = { berth: 'south', flag: 'red' }),
    },
  },
}
