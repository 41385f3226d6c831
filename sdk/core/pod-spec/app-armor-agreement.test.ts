import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { orchProfile, Vendor } from '../../plugin/vendor.js'
import type { PodSpec } from '../pod-spec.js'
import type { AppArmorProfile } from '../security-context.js'
import { checkAppArmorAgreement } from './app-armor-agreement.js'
import { validatePodTemplate } from './validate-pod-template.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })
const agreement = suite('AppArmor profiles written twice')
interface Case {
  readonly annotation: string
  readonly ofContainer?: AppArmorProfile
  readonly ofPod?: AppArmorProfile
  readonly os?: string
  readonly wrong?: string
}
const file = (localhostProfile: string): AppArmorProfile => ({ type: 'Localhost', localhostProfile })
const cases: Record<string, Case> = {
  'agree without a field': { annotation: 'unconfined' },
  'agree when both are unconfined': { annotation: 'unconfined', ofContainer: { type: 'Unconfined' } },
  'agree in the default': { annotation: 'runtime/default', ofContainer: { type: 'RuntimeDefault' } },
  'agree in a file': { annotation: 'localhost/a', ofContainer: file('a') },
  'disagree in the type': { annotation: 'unconfined', ofContainer: { type: 'RuntimeDefault' }, wrong: 'type' },
  'disagree in the type of a file': { annotation: 'unconfined', ofContainer: file('a'), wrong: 'type' },
  'disagree in the file': { annotation: 'localhost/b', ofContainer: file('a'), wrong: 'localhostProfile' },
  'disagree without a file': {
    annotation: 'localhost/',
    ofContainer: { type: 'Localhost' },
    wrong: 'localhostProfile',
  },
  'disagree with the profile of the Pod': {
    annotation: 'unconfined',
    ofPod: { type: 'RuntimeDefault' },
    wrong: 'type',
  },
  'agree with the container rather than the Pod': {
    annotation: 'unconfined',
    ofContainer: { type: 'Unconfined' },
    ofPod: { type: 'RuntimeDefault' },
  },
  'are not compared for an unknown type': { annotation: 'unconfined', ofContainer: { type: 'x' } },
  'are not compared on Windows': { annotation: 'unconfined', ofContainer: { type: 'RuntimeDefault' }, os: 'windows' },
}
for (const [title, { annotation, ofContainer, ofPod, os, wrong }] of Object.entries(cases))
  agreement(title, () => {
    const spec: PodSpec = {
      containers: [
        { name: 'other' },
        { name: 'c', ...(ofContainer ? { securityContext: { appArmorProfile: ofContainer } } : {}) },
      ],
      ...(ofPod ? { securityContext: { appArmorProfile: ofPod } } : {}),
      ...(os ? { os: { name: os } } : {}),
    }
    const annotations = { [`${vendor.qualify('', 'container.apparmor.security.beta')}c`]: annotation }
    assert.equal(
      checkAppArmorAgreement(annotations, spec, 'spec', vendor).map(({ field, type }) => [field, type]),
      wrong ? [[`spec.containers[1].securityContext.appArmorProfile.${wrong}`, 'FieldValueForbidden']] : [],
    )
  })
agreement('are compared in templates', () => {
  const annotations = { [`${vendor.qualify('', 'container.apparmor.security.beta')}c`]: 'unconfined' }
  const containers = [{ name: 'c', image: 'i', securityContext: { appArmorProfile: file('a') } }]
  const template = { metadata: { annotations }, spec: { containers } }
  const fields = validatePodTemplate(template, 'template', vendor).map(({ field }) => field)
  assert.ok(fields.includes('template.spec.containers[0].securityContext.appArmorProfile.type'), `${fields}`)
})
agreement.run()
