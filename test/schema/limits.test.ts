import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ownFieldConstraints, structBelow } from '../../kernel/schema/constraints.js'
import type { StructNode } from '../../kernel/schema/type-model.js'
import { builtInTypes } from './built-in-types.js'

type Json = Readonly<Record<string, unknown>>
const limits = suite('limits in the schemas of built-in types')

/** The constraints of a field in the schema of a kind: `spec.ports[].port`. */
function statedOf(model: StructNode, path: string): Json | undefined {
  const steps = path.replaceAll('[]', '').split('.')
  const last = steps.pop() ?? ''
  const struct = steps.reduce<StructNode | undefined>((node, step) => {
    const field = node?.fields.get(step)
    return field && structBelow(field.node)
  }, model)
  const field = struct?.fields.get(last)
  return field && ownFieldConstraints(field)
}

const ports = { minimum: 1, maximum: 65_535 }
const stated: Record<string, Json> = {
  'core.v1.Pod spec.restartPolicy': { enum: ['Always', 'Never', 'OnFailure'] },
  'core.v1.Pod spec.containers[].ports[].hostPort': ports,
  'core.v1.Pod spec.securityContext.runAsUser': { minimum: 0, maximum: 0x7fffffff },
  'core.v1.Service spec.type': { enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] },
  'core.v1.Service spec.ports[].port': ports,
  'core.v1.Endpoints subsets[].ports[].port': ports,
  'coordination.v1.Lease spec.leaseDurationSeconds': { minimum: 1 },
  'networking.v1.IngressClass spec.controller': { maxLength: 250 },
  'storage.v1.StorageClass volumeBindingMode': { enum: ['Immediate', 'WaitForFirstConsumer'] },
  'certificates.v1.CertificateSigningRequest spec.expirationSeconds': { minimum: 600 },
}
for (const [place, expected] of Object.entries(stated))
  limits(`${place} has its constraints`, async () => {
    const [kind = '', path = ''] = place.split(' ')
    const model = (await builtInTypes()).get(kind)
    assert.ok(model, kind)
    assert.equal(statedOf(model, path), expected)
  })
limits.run()
