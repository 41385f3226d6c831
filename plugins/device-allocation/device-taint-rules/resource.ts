import {
  ageColumn,
  type Column,
  defineResource,
  type FieldError,
  nameColumn,
  type ServedLevel,
  strategyForSpec,
  strategyForStatus,
  timestampOf,
  tooMany,
} from 'orch/sdk'
import { validateConditions } from 'orch/sdk/validation'
import { limits } from '../limits.js'
import type { DeviceNames } from '../names.js'
import { validateTaint } from '../resource-slices/device-rules.js'
import { checkDriver, checkLabel, checkPoolName } from '../schemas/rules.js'
import { DeviceTaintRule, taintRuleIn } from './schema.js'

export function validateRule(
  { spec }: DeviceTaintRule,
  stored: DeviceTaintRule | undefined,
  level: ServedLevel,
): FieldError[] {
  const { driver, pool, device } = spec.deviceSelector ?? {}
  const at = 'spec.deviceSelector'
  return [
    ...(driver === undefined ? [] : checkDriver(driver, `${at}.driver`, level)),
    ...(pool === undefined ? [] : checkPoolName(pool, `${at}.pool`)),
    ...(device === undefined ? [] : checkLabel(device, `${at}.device`)),
    ...validateTaint(spec.taint, stored?.spec.taint, 'spec.taint', level),
  ]
}

const mainStrategy = strategyForSpec<DeviceTaintRule>({
  newStatus: () => ({}),
  prepareForCreate({ spec }, { now }) {
    spec.taint.timeAdded ??= timestampOf(now)
  },
  /** The time is that of the effect, unless the client says another one. */
  prepareForUpdate({ spec: { taint } }, stored, { now }) {
    const before = stored.spec.taint
    if (taint.effect !== before.effect && taint.timeAdded === before.timeAdded) delete taint.timeAdded
    taint.timeAdded ??= timestampOf(now)
  },
  validate: (object, { vendor }) => validateRule(object, undefined, vendor.level),
  validateUpdate: (object, stored, { vendor }) => validateRule(object, stored, vendor.level),
  metadataChecks: { change: 1, object: 0 },
})
const statusStrategy = strategyForStatus<DeviceTaintRule>({
  validateUpdate({ status }) {
    const conditions = status?.conditions ?? []
    const at = 'status.conditions'
    return [
      ...validateConditions(conditions, at),
      ...(conditions.length > limits.ruleConditions ? [tooMany(at, conditions.length, limits.ruleConditions)] : []),
    ]
  },
  resetFields: ['metadata'],
})

const text = (name: string, description: string, cell: (rule: DeviceTaintRule) => string): Column<DeviceTaintRule> => ({
  name,
  type: 'string',
  description,
  cell,
})
const columns: readonly Column<DeviceTaintRule>[] = [
  nameColumn as Column<DeviceTaintRule>,
  text('Key', 'The key of the taint.', ({ spec }) => spec.taint.key),
  text('Value', 'The value of the taint.', ({ spec }) => spec.taint.value ?? ''),
  text('Effect', 'What the taint does.', ({ spec }) => spec.taint.effect),
  text('TimeAdded', 'When the taint was added.', ({ spec }) => spec.taint.timeAdded ?? '<unknown>'),
  ageColumn as Column<DeviceTaintRule>,
]

export const deviceTaintRules = ({ group }: DeviceNames) =>
  defineResource({
    group,
    kind: 'DeviceTaintRule',
    resource: 'devicetaintrules',
    namespaced: false,
    versions: [
      { name: 'v1beta2', since: '1.36', schema: DeviceTaintRule, storage: true, served: false },
      { name: 'v1alpha3', since: '1.33', schema: taintRuleIn('v1alpha3') },
    ],
    since: '1.33',
    strategy: mainStrategy,
    subresources: { status: { kind: 'update', since: '1.35', strategy: statusStrategy } },
    deletion: { answer: 'object' },
    columns,
  })
