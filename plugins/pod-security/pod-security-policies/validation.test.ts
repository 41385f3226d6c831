import { orchProfile, Vendor } from 'orch/sdk'
import { schemaErrors } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PodSecurityPolicy, type PodSecurityPolicySpec } from './schema.js'
import { validatePodSecurityPolicy } from './validation.js'

const vendor = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' })
const any = { rule: 'RunAsAny' }
const whole = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any }
const errorsOf = (spec: Partial<PodSecurityPolicySpec>, annotations: Record<string, string> = {}) => {
  const policy = { metadata: { name: 'p', annotations }, spec: { ...whole, ...spec } } as never
  const found = [...schemaErrors(PodSecurityPolicy, policy), ...validatePodSecurityPolicy(policy, { vendor })]
  return found.map(({ type, field }) => `${type} ${field}`)
}

const cases: Record<string, [spec: Partial<PodSecurityPolicySpec>, errors: string[]]> = {
  'takes a policy that allows all': [{ volumes: ['*'], allowedCapabilities: ['*'] }, []],
  'wants rules it knows': [
    { runAsUser: { rule: 'x' }, seLinux: { rule: '' } },
    ['FieldValueNotSupported spec.seLinux.rule', 'FieldValueNotSupported spec.runAsUser.rule'],
  ],
  'takes ids as large as they get, none below zero, and no range that ends before it starts': [
    {
      runAsUser: {
        rule: 'MustRunAs',
        ranges: [
          { min: 1, max: 2 ** 40 },
          { min: -1, max: 5 },
          { min: 3, max: 2 },
        ],
      },
    },
    ['FieldValueInvalid spec.runAsUser.ranges[1].min', 'FieldValueInvalid spec.runAsUser.ranges[2].min'],
  ],
  'wants ranges of groups where the rule looks at them, and nowhere else': [
    { runAsGroup: { rule: 'MayRunAs' } },
    ['FieldValueInvalid spec.runAsGroup.ranges'],
  ],
  'wants no ranges of groups for any group': [
    { runAsGroup: { rule: 'RunAsAny', ranges: [{ min: 3, max: 2 }] } },
    ['FieldValueInvalid spec.runAsGroup.ranges'],
  ],
  'reports unknown volumes together': [{ volumes: ['secret', 'x'] }, ['FieldValueNotSupported spec.volumes']],
  'allows nothing that must be dropped': [
    { requiredDropCapabilities: ['A'], allowedCapabilities: ['*', 'A'], defaultAddCapabilities: ['A'] },
    [
      'FieldValueInvalid requiredDropCapabilities',
      'FieldValueInvalid defaultAddCapabilities',
      'FieldValueInvalid allowedCapabilities',
    ],
  ],
  'looks at prefixes up to the first that is missing': [
    { allowedHostPaths: [{ pathPrefix: '/a/../b' }, {}, { pathPrefix: '..' }] },
    ['FieldValueInvalid spec.allowedHostPaths[0]', 'FieldValueRequired spec.allowedHostPaths[1]'],
  ],
  'wants the names of drivers': [
    { allowedFlexVolumes: [{ driver: '' }], allowedCSIDrivers: [{ name: '' }] },
    [
      'FieldValueRequired spec.allowedFlexVolumes.allowedFlexVolumes[0].driver',
      'FieldValueRequired spec.allowedCSIDrivers.allowedCSIDriver[0].name',
      'FieldValueInvalid spec.allowedCSIDrivers.allowedCSIDriver[0].name',
    ],
  ],
  'wants sysctls, and none beside all': [
    { allowedUnsafeSysctls: ['', 'Bad', 'a.b'], forbiddenSysctls: ['*', 'c.d'] },
    [
      'FieldValueInvalid spec.allowedUnsafeSysctls[0]',
      'FieldValueInvalid spec.allowedUnsafeSysctls[1]',
      'FieldValueForbidden spec.forbiddenSysctls.items',
      'FieldValueInvalid spec.allowedUnsafeSysctls[0]',
      'FieldValueInvalid spec.allowedUnsafeSysctls[1]',
      'FieldValueInvalid spec.allowedUnsafeSysctls[2]',
    ],
  ],
  'allows no sysctl that is forbidden, by name or by pattern': [
    { allowedUnsafeSysctls: ['a.b', 'c.*', 'd.e'], forbiddenSysctls: ['a.*', 'c.d', 'd.e'] },
    [
      'FieldValueInvalid spec.allowedUnsafeSysctls[0]',
      'FieldValueInvalid spec.forbiddenSysctls[1]',
      'FieldValueInvalid spec.allowedUnsafeSysctls[2]',
    ],
  ],
  'gives no runtime class that is not allowed': [
    { runtimeClass: { allowedRuntimeClassNames: ['a', 'a'], defaultRuntimeClassName: 'b' } },
    [
      'FieldValueDuplicate spec.runtimeClass.allowedRuntimeClassNames[1]',
      'FieldValueRequired spec.runtimeClass.allowedRuntimeClassNames',
    ],
  ],
  'names no runtime class beside all': [
    { runtimeClass: { allowedRuntimeClassNames: ['*', 'a'] } },
    ['FieldValueInvalid spec.runtimeClass.allowedRuntimeClassNames'],
  ],
}
const policies = suite('the validation of pod security policies')
for (const [title, [spec, errors]] of Object.entries(cases))
  policies(title, () => {
    assert.equal(errorsOf(spec), errors)
  })
policies('checks the profiles that annotations name', () => {
  const seccomp = (name: string) => `seccomp.security.alpha.acme.test/${name}ProfileName`
  const appArmor = (name: string) => `apparmor.security.beta.acme.test/${name}ProfileName`
  const good = {
    [seccomp('default')]: 'docker/default',
    [`${seccomp('allowed')}s`]: '*,localhost/x,unconfined',
    [appArmor('default')]: 'runtime/default',
    [`${appArmor('allowed')}s`]: 'localhost/x,unconfined',
  }
  assert.equal(errorsOf({}, good), [])
  const bad = Object.fromEntries(Object.keys(good).map(key => [key, 'x']))
  assert.equal(
    errorsOf({}, bad),
    [appArmor('default'), `${appArmor('allowed')}s`, seccomp('default'), `${seccomp('allowed')}s`].map(
      key => `FieldValueInvalid metadata.annotations[${key}]`,
    ),
  )
})

policies.run()
