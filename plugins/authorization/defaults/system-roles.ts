import type { Vendor } from 'orch/sdk'
import { type DefaultRole, defaultGroups, on, onPaths, role } from './default-role.js'

/** Cluster roles for people and for access that everybody has. */
export function systemRoles(vendor: Vendor): DefaultRole[] {
  const { authentication, authorization, certificates } = defaultGroups(vendor)
  const { signers } = vendor.profile
  return [
    role('cluster-admin', [on('*', '*', '*'), onPaths('*', '*')]),
    role('system:auth-delegator', [
      on(authentication, 'tokenreviews', 'create'),
      on(authorization, 'subjectaccessreviews', 'create'),
    ]),
    role('system:basic-user', [on(authorization, 'selfsubjectaccessreviews selfsubjectrulesreviews', 'create')]),
    role(`system:${certificates}:certificatesigningrequests:nodeclient`, [
      on(certificates, 'certificatesigningrequests/nodeclient', 'create'),
    ]),
    role(`system:${certificates}:certificatesigningrequests:selfnodeclient`, [
      on(certificates, 'certificatesigningrequests/selfnodeclient', 'create'),
    ]),
    role(`system:${certificates}:${signers.client}-approver`, [
      on(certificates, 'signers', 'approve', [vendor.signer('client')]),
    ]),
    role(`system:${certificates}:${signers.nodeAgentClient}-approver`, [
      on(certificates, 'signers', 'approve', [vendor.signer('nodeAgentClient')]),
    ]),
    role(`system:${certificates}:${signers.nodeAgentServing}-approver`, [
      on(certificates, 'signers', 'approve', [vendor.signer('nodeAgentServing')]),
    ]),
    role(`system:${certificates}:${signers.legacyUnknown}-approver`, [
      on(certificates, 'signers', 'approve', [vendor.signer('legacyUnknown')]),
    ]),
    role('system:discovery', [
      onPaths('/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/', 'get'),
    ]),
    role('system:monitoring', [onPaths('/healthz /healthz/* /livez /livez/* /metrics /readyz /readyz/*', 'get')]),
    role('system:public-info-viewer', [onPaths('/healthz /livez /readyz /version /version/', 'get')]),
    role('system:service-account-issuer-discovery', [
      onPaths('/.well-known/openid-configuration /openid/v1/jwks', 'get'),
    ]),
  ]
}
