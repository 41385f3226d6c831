import {
  ageColumn,
  type Column,
  definePermission,
  defineResource,
  type FieldError,
  invalidValue,
  nameColumn,
  type Strategy,
  type Vendor,
} from 'orch/sdk'
import { isExtendedResource } from 'orch/sdk/core'
import { expressions } from 'orch/sdk/expressions'
import { nameIsDnsSubdomain, sameJson } from 'orch/sdk/validation'
import { classPrefixesAreFree, updatesAreCheckedOnce } from '../differences.js'
import type { DeviceGates } from '../gates.js'
import { limits } from '../limits.js'
import type { DeviceNames } from '../names.js'
import { expressionsOf, validateConfiguration, validateSelectors } from '../schemas/claim-spec-rules.js'
import { compileSelectors } from '../schemas/compile-selectors.js'
import { checkList } from '../schemas/rules.js'
import { DeviceClass, deviceClassIn } from './schema.js'

/** Validates a class. The length of unchanged configuration is not checked again. */
export function validateClass({ spec }: DeviceClass, stored: DeviceClass | undefined, vendor: Vendor): FieldError[] {
  const isStored = stored !== undefined && sameJson(spec.config, stored.spec.config)
  const { extendedResourceName: name } = spec
  const { level } = vendor
  return [
    ...validateSelectors(spec.selectors, 'spec.selectors', level),
    ...checkList(
      spec.config,
      limits.configurations,
      (each, field) => validateConfiguration(each, isStored, field, level),
      'spec.config',
      level,
    ),
    ...(name === undefined || isExtendedResource(name, vendor)
      ? []
      : [invalidValue('spec.extendedResourceName', name, 'must be a valid extended resource name')]),
  ]
}

const mainStrategy = {
  validate: (object, { vendor }) => validateClass(object, undefined, vendor),
  validateUpdate: (object, stored, { vendor }) => [
    ...(vendor.level.has(updatesAreCheckedOnce) ? [] : validateClass(object, undefined, vendor)),
    ...validateClass(object, stored, vendor),
  ],
} satisfies Strategy<DeviceClass>

/** Expressions are compiled here because that needs a service; their errors are reported together with all others. */
const classPermission = ({ vendor: { level } }: DeviceNames, gates: DeviceGates) =>
  definePermission<DeviceClass>()({
    needs: { language: expressions },
    async review({ object, stored }, { language }) {
      const { selectors } = object.spec
      const placed = expressionsOf(selectors, 'spec.selectors', level)
      const isSame = stored !== undefined && sameJson(selectors ?? [], stored.spec.selectors ?? [])
      const errors = isSame && level.has(updatesAreCheckedOnce) ? [] : await compileSelectors(placed, language, gates)
      if (stored === undefined || (level.has(updatesAreCheckedOnce) && !isSame)) return errors
      return [...errors, ...(await compileSelectors(placed, language, gates, { areNew: !isSame }))]
    },
  })

export const deviceClasses = (names: DeviceNames, gates: DeviceGates) =>
  defineResource({
    group: names.group,
    kind: 'DeviceClass',
    resource: 'deviceclasses',
    singular: 'deviceclass',
    namespaced: false,
    versions: [
      { name: 'v1', since: '1.34', schema: DeviceClass, storage: true },
      { name: 'v1beta2', since: '1.33', schema: deviceClassIn('v1beta2'), served: false },
      { name: 'v1beta1', since: '1.32', schema: deviceClassIn('v1beta1'), served: false },
      { name: 'v1alpha3', since: '1.31', until: '1.33', schema: deviceClassIn('v1alpha3') },
    ],
    since: '1.31',
    strategy: mainStrategy,
    validateName: (name, isPrefix) =>
      isPrefix && names.vendor.level.has(classPrefixesAreFree) ? [] : nameIsDnsSubdomain(name, isPrefix),
    permission: classPermission(names, gates),
    deletion: { answer: 'object' },
    columns: [nameColumn as Column<DeviceClass>, ageColumn as Column<DeviceClass>],
  })
