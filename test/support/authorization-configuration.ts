/** The authorizer of roles, as an entry of an AuthorizationConfiguration. */
export const rbac = { type: 'RBAC', name: 'rbac' }

/** A webhook as an entry of an AuthorizationConfiguration; `more` are further settings of it. */
export const webhook = (name: string, kubeConfigFile: string, more: object = {}) => ({
  type: 'Webhook',
  name,
  webhook: {
    timeout: '10s',
    subjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
    ...more,
  },
})

/** The text of an AuthorizationConfiguration. */
export const authorizationConfiguration = (authorizers: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'apiserver.config.orch.io/v1', kind: 'AuthorizationConfiguration', authorizers })
