import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { volumeAttachments } from './resource.js'
import type { VolumeAttachment } from './schema.js'

const conformance = suite('volume attachments serve the whole API')

for (const { name, run } of resourceConformance<VolumeAttachment>({
  resource: volumeAttachments(acmeNames),
  vendor: acmeProfile,
  valid: () => ({ spec: { attacher: 'csi.example.com', nodeName: 'north', source: { persistentVolumeName: 'data' } } }),
  invalid: {
    'nothing to attach': object => {
      object.spec.source = {}
    },
    'no node': object => {
      object.spec.nodeName = ''
    },
  },
})) {
  conformance(name, run)
}

conformance.run()
