import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import { statusStrategy } from './resource.js'
import type { VolumeAttachment, VolumeAttachmentSpec } from './schema.js'
import { validateAttachmentUpdate, validateNewAttachment } from './validation.js'

const validation = suite('validation of volume attachments')
const source = { persistentVolumeName: 'data' }
const anAttachment = (spec: Partial<VolumeAttachmentSpec> = {}): VolumeAttachment => ({
  metadata: { name: 'a', labels: { kept: 'yes' } },
  spec: { attacher: 'csi.example.com', nodeName: 'north', source, ...spec },
  status: { attached: false },
})
const inlineVolumeSpec = { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' } }

const created: Record<string, { spec: Partial<VolumeAttachmentSpec>; wrong: string[] }> = {
  'accepts the name of a volume': { spec: {}, wrong: [] },
  'accepts a volume inside': { spec: { source: { inlineVolumeSpec } }, wrong: [] },
  'rejects fields of objects in an inline volume': {
    spec: {
      source: {
        inlineVolumeSpec: {
          ...inlineVolumeSpec,
          accessModes: [],
          capacity: { storage: '1Gi' },
          persistentVolumeReclaimPolicy: 'Delete',
          storageClassName: 'fast',
          volumeMode: 'Block',
        },
      },
    },
    wrong: [
      'FieldValueForbidden spec.source.inlineVolumeSpec.capacity',
      'FieldValueRequired spec.source.inlineVolumeSpec.accessModes',
      'FieldValueForbidden spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy',
      'FieldValueForbidden spec.source.inlineVolumeSpec.storageClassName',
      'FieldValueForbidden spec.source.inlineVolumeSpec.volumeMode',
    ],
  },
  'requires a source': { spec: { source: {} }, wrong: ['FieldValueRequired spec.source'] },
  'accepts only one source': {
    spec: { source: { ...source, inlineVolumeSpec } },
    wrong: ['FieldValueForbidden spec.source'],
  },
  'requires a driver with a valid name': {
    spec: { attacher: '' },
    wrong: ['FieldValueRequired spec.attacher', 'FieldValueRequired spec.attacher', 'FieldValueInvalid spec.attacher'],
  },
  'asks for a node': { spec: { nodeName: '' }, wrong: ['FieldValueInvalid spec.nodeName'] },
}
for (const [title, { spec, wrong }] of Object.entries(created))
  validation(title, () => {
    assert.equal(
      validateNewAttachment(anAttachment(spec), acmeNames).map(({ type, field }) => `${type} ${field}`),
      wrong,
    )
  })

validation('the spec is immutable, and the length of messages is limited', () => {
  const sent = {
    ...anAttachment({ nodeName: 'south' }),
    status: {
      attached: false,
      attachmentMetadata: { k: 'x'.repeat(256 * 1024) },
      attachError: { message: 'x'.repeat(1025) },
      detachError: { message: 'x'.repeat(1024) },
    },
  }
  assert.equal(
    validateAttachmentUpdate(sent, anAttachment(), acmeNames).map(({ field }) => field),
    [
      'status.attachmentMetadata',
      'status.attachError.message',
      'status.attachmentMetadata',
      'status.attachError.message',
      'spec',
    ],
  )
})

validation('the status path changes the status and nothing else', () => {
  const stored = anAttachment()
  const draft: VolumeAttachment = {
    ...anAttachment({ nodeName: 'south' }),
    metadata: { name: 'a', labels: { other: 'no' }, annotations: { a: 'b' }, managedFields: [{ manager: 'm' }] },
    status: { attached: true },
  }
  stepsOf(statusStrategy(acmeNames, {})).prepareForUpdate(draft, stored)
  assert.equal(draft, {
    ...stored,
    metadata: { ...stored.metadata, managedFields: [{ manager: 'm' }] },
    status: { attached: true },
  })
})

validation.run()
