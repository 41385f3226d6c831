import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateIscsiTarget } from './iscsi-rules.js'

const iscsi = suite('iSCSI names')
const errorsOf = (iqn: string) => validateIscsiTarget({ targetPortal: 'host:3260', iqn, lun: 0 }, 'iscsi').length

const names: Record<string, number> = {
  'iqn.2001-04.com.example:disk1': 0,
  'iqn.2001-04.com.example': 1,
  'iqn.2001-04.com.example:disk 1': 1,
  'my iqn.2001-04.com.example:disk1': 1,
  'eui.02004567A425678D': 0,
  'naa.52004567BA64678D52004567BA64678D': 0,
  'naa.52004567BA64678D': 1,
}
for (const [name, errors] of Object.entries(names))
  iscsi(`"${name}" is ${errors === 0 ? 'one' : 'none'}`, () => assert.is(errorsOf(name), errors))

iscsi('a long text of repeated prefixes is rejected in linear time', () => {
  const cpu = process.cpuUsage()
  assert.is(errorsOf('iqn.2001-04.com'.repeat(200_000)), 1)
  assert.ok(process.cpuUsage(cpu).user < 250_000, 'took more than 250 ms')
})

iscsi.run()
