import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fillLimitRange, mainStrategy } from './resource.js'
import type { LimitRange, LimitRangeItem } from './schema.js'
import { validateLimitRange } from './validation.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })

const defaults = suite('defaults of limit ranges')
defaults('of containers are the maximum, and the requests are the limits', () => {
  const limitRange: LimitRange = {
    spec: {
      limits: [
        { type: 'Container', max: { cpu: '2', memory: '1Gi' }, min: { storage: '1' }, default: { memory: '512Mi' } },
      ],
    },
  }
  fillLimitRange(limitRange)
  const [item] = limitRange.spec?.limits ?? []
  assert.equal(item?.default, { cpu: '2', memory: '512Mi' })
  assert.equal(item?.defaultRequest, { storage: '1', cpu: '2', memory: '512Mi' })
})
defaults('do not apply to other types', () => {
  const limitRange: LimitRange = { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } }
  fillLimitRange(limitRange)
  assert.equal(limitRange.spec?.limits, [{ type: 'Pod', max: { cpu: '2' } }])
})

const validation = suite('validation of limit ranges')
const cases: Record<string, [item: Partial<LimitRangeItem>, ...wrong: string[]]> = {
  'accepts sound amounts': [
    { min: { cpu: '1' }, defaultRequest: { cpu: '1' }, default: { cpu: '2' }, max: { cpu: '2' } },
  ],
  'refuses a resource containers cannot have': [{ max: { pods: '1' } }, 'max[pods] Invalid'],
  'refuses a minimum above the maximum': [{ min: { cpu: '2' }, max: { cpu: '1' } }, 'min[cpu] Invalid'],
  'refuses a default above the maximum': [{ default: { cpu: '2' }, max: { cpu: '1' } }, 'default[cpu] Invalid'],
  'refuses a request below the minimum': [
    { min: { cpu: '2' }, defaultRequest: { cpu: '1' } },
    'defaultRequest[cpu] Invalid',
  ],
  'refuses a request above the default': [
    { default: { cpu: '1' }, defaultRequest: { cpu: '2' } },
    'defaultRequest[cpu] Invalid',
  ],
  'refuses a ratio below one': [{ maxLimitRequestRatio: { cpu: '0.5' } }, 'maxLimitRequestRatio[cpu] Invalid'],
  'refuses a ratio beyond maximum and minimum': [
    { min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } },
    'maxLimitRequestRatio[cpu] Invalid',
  ],
  'rejects a device whose request differs from its limit': [
    { default: { 'other.test/gpu': '2' }, defaultRequest: { 'other.test/gpu': '1' } },
    'defaultRequest[other.test/gpu] Invalid',
  ],
  'refuses defaults of a Pod': [
    { type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } },
    'default Forbidden',
    'defaultRequest Forbidden',
  ],
  'refuses a claim without bounds': [{ type: 'PersistentVolumeClaim' }, 'limits Required'],
  'rejects an unknown type': [{ type: 'Bogus' }, 'type Invalid'],
}
for (const [title, [item, ...wrong]] of Object.entries(cases))
  validation(title, () => {
    const errors = validateLimitRange({ spec: { limits: [{ type: 'Container', ...item }] } }, vendor)
    assert.equal(
      errors.map(({ field, type }) => `${field} ${type.slice(10)}`),
      wrong.map(text => `spec.limits[0].${text}`),
    )
  })
validation('refuses a type twice', () => {
  const errors = validateLimitRange({ spec: { limits: [{ type: 'Pod' }, { type: 'Pod' }] } }, vendor)
  assert.equal(
    errors.map(({ field, type }) => `${field} ${type.slice(10)}`),
    ['spec.limits[1].type Duplicate'],
  )
})

const names = suite('names of limit ranges')
names('are made up if a limit range has neither a name nor a prefix', () => {
  const prepared = (metadata: LimitRange['metadata']) => {
    const draft: LimitRange = metadata ? { metadata } : {}
    mainStrategy.prepareForCreate(draft)
    return draft.metadata ?? {}
  }
  assert.match(prepared(undefined).name ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.is.not(prepared({}).name, prepared({ name: '' }).name)
  assert.equal([prepared({ name: 'a' }), prepared({ generateName: 'a-' })], [{ name: 'a' }, { generateName: 'a-' }])
})

defaults.run()
names.run()
validation.run()
