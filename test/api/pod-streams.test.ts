import { type ApiObject, kubernetesProfile } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'

/** The response for a user who may connect to Pods only by GET. */
async function answerTo(kubernetesVersion: string, method: string): Promise<string> {
  const server = await startServer({ vendor: kubernetesProfile, kubernetesVersion })
  try {
    const rbac = (resource: string) =>
      server.client.resource<ApiObject>({ group: 'rbac.authorization.k8s.io', version: 'v1', resource })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'looks-in' }
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods', 'pods/exec'] }]
    await rbac('clusterroles').create({ metadata: { name: 'looks-in' }, rules } as ApiObject)
    const subjects = [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }]
    await rbac('clusterrolebindings').create({ metadata: { name: 'looks-in' }, roleRef, subjects } as ApiObject)
    const pods = server.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'pods' }).in('default')
    const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] }
    await eventually('a Pod, once its service account is there', () =>
      pods.create({ metadata: { name: 'p' }, spec } as unknown as ApiObject).then(
        () => true,
        () => false,
      ),
    )
    return await eventually('the role to take effect', async () => {
      const answer = await fetch(`${server.baseUrl}/api/v1/namespaces/default/pods/p/exec?command=ls&stdout=true`, {
        method,
        headers: { authorization: `Bearer ${server.token}`, 'impersonate-user': 'jane' },
      })
      const { code, message } = (await answer.json()) as { code: number; message: string }
      return !message.includes('cannot get resource') && `${code} ${message}`
    })
  } finally {
    await server.stop()
  }
}

const permissions = suite('who may connect to Pods')
permissions('before 1.35, users with the verb get may connect by GET', async () => {
  assert.match(await answerTo('1.34', 'GET'), /^500 error dialing backend/)
})
permissions('since 1.35 the verb create is required as well, whatever the method', async () => {
  const refused = /^403 pods "p" is forbidden: User "jane" cannot create resource "pods\/exec"/
  assert.match(await answerTo('1.35', 'GET'), refused)
})
permissions.run()
