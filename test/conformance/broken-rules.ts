import { ageColumn, type ResourceDefinition, type Strategy } from 'orch/sdk'
import type { BrokenPlugin } from './broken-plugin.js'
import { currentVersion, type Gadget, gadgetPlugin, gadgets, type OldGadget, oldVersion } from './gadgets.js'

type Parts = Omit<BrokenPlugin, 'plugin'>
const typeWith = (type: Partial<ResourceDefinition>, parts: Parts): BrokenPlugin => ({
  plugin: gadgetPlugin({ type }),
  ...parts,
})
const missing = /Cannot read properties of undefined/
const frozen = /read only|not extensible|Cannot delete/

/** Rules of plugins in JavaScript, where no compiler checks the return type. */
const ruled = (strategy: object, says: RegExp): BrokenPlugin =>
  typeWith(
    { strategy: { ...gadgets.strategy, ...strategy } as Strategy<never> },
    { finds: 'validation never throws', says },
  )
const brokenValidation: Readonly<Record<string, BrokenPlugin>> = {
  'validation that returns nothing': ruled({ validate: () => undefined }, /returned undefined, not a list/),
  'validation that returns strings': ruled({ validate: () => ['wrong'] }, /not a field error/),
  'validation that returns an error instead of a list': ruled(
    { validate: () => ({ type: 'FieldValueInvalid', field: 'spec', detail: 'wrong' }) },
    /returned object, not a list/,
  ),
  'a field error without its field': ruled(
    { validate: () => [{ type: 'FieldValueInvalid', detail: 'wrong' }] },
    /not a field error/,
  ),
  'validation that rejects': ruled({ validate: () => Promise.reject(new Error('not reachable')) }, /not reachable/),
  'validation of updates that throws': ruled(
    {
      validateUpdate: ({ spec }: Gadget, before: Gadget) => (spec.color!.length > before.spec.color!.length ? [] : []),
    },
    missing,
  ),
  'validation of updates that changes the stored object': ruled(
    {
      validateUpdate(_: Gadget, before: Gadget) {
        before.spec.size = 1
        return []
      },
    },
    frozen,
  ),
  'warnings that throw': ruled({ warnings: ({ spec }: Gadget) => [spec.color!.trim()] }, missing),
  'warnings that are not strings': ruled({ warnings: () => [{ text: 'careful' }] }, /not a list of strings/),
  'a warning instead of a list': ruled({ warnings: () => 'careful' }, /not a list of strings/),
  'rules of a subresource that throw': typeWith(
    {
      subresources: {
        status: { kind: 'update', strategy: { validate: ({ spec }: Gadget) => (spec.color!.length > 9 ? [] : []) } },
      },
    },
    { finds: 'validation never throws', says: missing },
  ),
}

const shown = (type: Partial<ResourceDefinition>, says: RegExp) =>
  typeWith(type, { finds: 'columns and selectable fields', says })
const columnOf = (cell: (object: Gadget) => unknown): Partial<ResourceDefinition> => ({
  columns: [{ ...ageColumn, name: 'Size', cell: cell as () => string }],
})
const brokenViews: Readonly<Record<string, BrokenPlugin>> = {
  'a column that shows an object': shown(
    columnOf(({ spec }) => spec),
    /"Size" shows a object/,
  ),
  'a column that shows nothing': shown(
    columnOf(() => undefined),
    /"Size" shows a undefined/,
  ),
  'a number column that is not a number': shown(
    columnOf(() => Number.NaN),
    /"Size" shows NaN/,
  ),
  'a column that changes the object': shown(
    columnOf(object => {
      object.spec.size = 1
      return 1
    }),
    frozen,
  ),
  'a selectable field that is a number': shown(
    { selectableFields: { 'spec.size': ({ spec }: Gadget) => (spec.size ?? 0) as never } },
    /"spec.size" is a number/,
  ),
  'a selectable field that throws': shown(
    { selectableFields: { 'spec.color': ({ spec }: Gadget) => spec.color!.trim() } },
    missing,
  ),
  'a row condition that throws': shown(
    { rowConditions: ({ spec }: Gadget) => [{ type: 'Completed', status: spec.color!.trim() as never }] },
    missing,
  ),
  'a row condition without a status': shown(
    { rowConditions: () => [{ type: 'Completed' } as never] },
    /not a list of strings/,
  ),
  'exclusive names that throw': shown({ exclusiveNames: ({ spec }: Gadget) => [spec.color!.trim()] }, missing),
  'exclusive names that are not strings': shown(
    { exclusiveNames: ({ spec }: Gadget) => [spec.size as never] },
    /not a list of strings/,
  ),
}

const versionWith = (version: object, parts: Parts) =>
  typeWith({ versions: [{ ...currentVersion, ...version }] }, parts)
const converting = (version: object, says: RegExp) =>
  typeWith(
    { versions: [currentVersion, { ...oldVersion, ...version }] },
    { finds: 'round-trips through the storage version', says },
  )
let filled = 0
const brokenVersions: Readonly<Record<string, BrokenPlugin>> = {
  'defaults that throw': versionWith(
    { defaults: ({ spec }: Gadget) => void spec.color!.trim() },
    { finds: 'defaulting is idempotent', says: missing },
  ),
  'random defaults': versionWith(
    { defaults: ({ spec }: Gadget) => void (spec.color = `color-${++filled}`) },
    { finds: 'defaulting is idempotent', says: /defaulting a second time changed the object/ },
  ),
  'defaults that extend a string': versionWith(
    { defaults: ({ spec }: Gadget) => void (spec.color = `${spec.color ?? ''}!`) },
    { finds: 'defaulting is idempotent', says: /defaulting a second time changed the object/ },
  ),
  'a normalization that throws': versionWith(
    { decoded: ({ spec }: Gadget) => void spec.color!.trim() },
    { finds: 'an object round-trips through JSON', says: missing },
  ),
  'a normalization that is not idempotent': versionWith(
    { decoded: ({ spec }: Gadget) => void (spec.color = `${spec.color ?? ''}!`) },
    { finds: 'an object round-trips through JSON', says: /JSON lost something/ },
  ),
  'a conversion back that loses a field': converting(
    { fromStorage: ({ spec, ...rest }: Gadget) => ({ ...rest, spec: { paint: spec.color } }) },
    /lost something/,
  ),
  'a conversion that throws': converting(
    {
      toStorage: ({ spec, ...rest }: OldGadget) => ({ ...rest, spec: { color: spec.paint!.trim(), size: spec.size } }),
    },
    missing,
  ),
  'a conversion that drops the metadata': converting(
    { toStorage: ({ spec }: OldGadget) => ({ metadata: {}, spec: { color: spec.paint, size: spec.size } }) },
    /lost something/,
  ),
  'a conversion that confuses two fields': converting(
    { fromStorage: ({ spec, ...rest }: Gadget) => ({ ...rest, spec: { paint: String(spec.size), size: spec.size } }) },
    /lost something/,
  ),
}

/** Defects in rules, views and versions of a type, found without a server. */
export const brokenRules: Readonly<Record<string, BrokenPlugin>> = {
  ...brokenValidation,
  ...brokenViews,
  ...brokenVersions,
}
