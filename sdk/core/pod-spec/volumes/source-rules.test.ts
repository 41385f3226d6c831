import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Volume } from '../../volume.js'
import { where } from './testing/volume-problems.js'
import { validateVolumes } from './validate-volumes.js'

const sources = suite('sources of volumes beyond the specification')
const resourceFile = (resource: string) => ({ path: 'f', resourceFieldRef: { containerName: 'c', resource } })
const unlisted: Record<string, Record<string, unknown>> = {
  'an emptyDir of huge pages': { emptyDir: { medium: 'HugePages' } },
  'an emptyDir of huge pages of a size': { emptyDir: { medium: 'HugePages-2Mi' } },
  'a file with a limit of ephemeral storage': { downwardAPI: { items: [resourceFile('limits.ephemeral-storage')] } },
  'a file with a request of ephemeral storage': {
    downwardAPI: { items: [resourceFile('requests.ephemeral-storage')] },
  },
  'a file with a limit of huge pages': { downwardAPI: { items: [resourceFile('limits.hugepages-2Mi')] } },
  'a projected file with a limit of ephemeral storage': {
    projected: { sources: [{ downwardAPI: { items: [resourceFile('limits.ephemeral-storage')] } }] },
  },
  'a file with the uid': {
    downwardAPI: { items: [{ path: 'f', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.uid' } }] },
  },
}
for (const [title, source] of Object.entries(unlisted))
  sources(`accepts ${title} only if the vendor accepts what the reference accepts`, () => {
    const volumes = [{ name: 'a', ...source }] as Volume[]
    assert.equal(validateVolumes(volumes, 'volumes', { ...where, isLenient: true }).errors, [])
    const [error, ...others] = validateVolumes(volumes, 'volumes', where).errors
    assert.is(error?.type, 'FieldValueNotSupported')
    assert.equal(others, [])
  })

sources.run()
