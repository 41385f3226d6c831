import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bootPlugins } from '../../kernel/boot/boot-plugins.js'
import { declaredControllers } from '../../kernel/loops/declared-controllers.js'
import config from '../../orch.config.js'
import { withDeclaredRoles } from '../../plugins/authorization/defaults/declared-roles.js'
import { defaultPolicy } from '../../plugins/authorization/defaults/default-policy.js'
import { recordedRoles } from './recorded-loop-roles.js'

const roles = suite('the roles of first-party loops')

for (const name of ['orch', 'kubernetes'])
  roles(`are declared where the loops are, and are those of the reference: ${name}`, async () => {
    const { registry, vendor } = await bootPlugins({ config: { ...config, vendor: name } })
    const loops = declaredControllers(registry).filter(({ usesClient }) => usesClient)
    const ofTable = defaultPolicy(vendor)
    const isDefault = (account: string) =>
      ofTable.clusterRoles.some(({ name }) => name === `system:controller:${account}`)
    // A loop without rules acts as an account whose role is one of the defaults.
    assert.equal(
      loops.filter(({ rules, account }) => rules.length === 0 && !isDefault(account)).map(loop => loop.name),
      [],
    )
    const policy = withDeclaredRoles(ofTable, loops, vendor)
    const recorded = recordedRoles(vendor)
    const named = (name: string) => policy.clusterRoles.find(role => role.name === name)
    assert.equal(
      recorded.map(({ name }) => named(name)),
      recorded,
    )
    for (const { name } of recorded)
      assert.ok(
        policy.clusterRoleBindings.some(({ roleRef }) => roleRef.name === name),
        name,
      )
    // What loops declare is written down nowhere else, and no loop has more than it declares.
    const declaredTwice = recorded.filter(({ name }) => ofTable.clusterRoles.some(role => role.name === name))
    assert.equal(declaredTwice, [])
    assert.equal(policy.clusterRoles.slice(0, ofTable.clusterRoles.length), ofTable.clusterRoles)
    for (const { namespace, roles: inside } of ofTable.namespaces)
      assert.equal(policy.namespaces.find(each => each.namespace === namespace)?.roles, inside, namespace)
  })

roles.run()
