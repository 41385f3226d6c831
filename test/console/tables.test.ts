import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { chromiumPath, goTo, noBrowser } from './browser.js'
import { type OpenConsole, openConsole } from './open-console.js'

const it = suite('tables of the console')
let open: OpenConsole
const at = (resource: string) => open.server.client.resource({ group: '', version: 'v1', resource }).in('default')
it.before(async () => {
  open = await openConsole()
  await open.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const conditions = [{ type: 'Ready', status: 'False' }]
  for (const [name, phase] of [
    ['calm', 'Running'],
    ['poor', 'Failed'],
    ['slow', 'Pending'],
  ]) {
    await at('pods').create({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } } as never)
    await at('pods').patch(name!, { status: { phase, conditions } }, { subresource: 'status' } as never)
  }
  const moment = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString().replace(/\.\d+/, '')
  for (const [name, minutes, message] of [
    ['a-old', 50, 'short'],
    ['b-new', 1, `a message that is much longer than all others ${'and longer '.repeat(8)}`],
    ['c-middle', 20, ''],
  ] as const)
    await at('events').create({
      metadata: { name },
      involvedObject: { kind: 'Pod', name: 'calm', namespace: 'default' },
      reason: name,
      message,
      type: name === 'b-new' ? 'Warning' : 'Normal',
      lastTimestamp: moment(minutes),
      firstTimestamp: moment(minutes),
    } as never)
  for (let number = 1; number <= 5; number++)
    await at('configmaps').create({
      metadata: { name: `m${number}`, ...(number === 4 ? { finalizers: ['example.com/held'] } : {}) },
      data: { key: 'value' },
    } as never)
})
it.after(() => open?.close())

/** The left edges of all cells, row by row. */
const edges = () =>
  open.page.evaluate(`[...document.querySelectorAll('.grid .row')].map(row => [...row.children].map(each =>
    Math.round(each.getBoundingClientRect().left)).join())`) as Promise<string[]>

it('cells are aligned with their headers, whatever they contain', async () => {
  await goTo(open.page, '/r/core/v1/events?ns=default')
  await open.page.getByRole('gridcell', { name: 'short' }).waitFor()
  for (const width of [1280, 700]) {
    await open.page.setViewportSize({ width, height: 800 })
    const rows = await edges()
    assert.is(rows.length, 4)
    assert.equal([...new Set(rows)].length, 1, rows.join('\n'))
  }
  await open.page.setViewportSize({ width: 1280, height: 800 })
})

it('events are sorted by time, newest first, and by other columns on demand', async () => {
  const reasons = async () =>
    (await open.page.getByRole('row').allTextContents())
      .map(text => /a-old|b-new|c-middle/.exec(text)?.[0] ?? '')
      .slice(1)
  assert.equal(await reasons(), ['b-new', 'c-middle', 'a-old'])
  await open.page.getByRole('button', { name: 'Reason', exact: true }).click()
  await eventually('the order of reasons', async () => (await reasons()).join() === 'a-old,b-new,c-middle')
})

it('texts are sorted by the numbers in them', async () => {
  const names = ['part-10', 'part-9', 'Part of all']
  for (const name of names)
    await at('events').create({
      metadata: { name: name.toLowerCase().replaceAll(' ', '-') },
      involvedObject: { kind: 'Pod', name: 'calm', namespace: 'default' },
      reason: name,
      type: 'Normal',
    } as never)
  const shown = async () =>
    (await open.page.getByRole('row').allTextContents()).flatMap(text => /part-\d+|Part of all/.exec(text)?.[0] ?? [])
  await eventually('the order of names', async () => (await shown()).join() === 'Part of all,part-9,part-10')
  for (const name of names) await at('events').delete(name.toLowerCase().replaceAll(' ', '-'))
})

it('ages have the exact time as a tooltip', async () => {
  await goTo(open.page, '/')
  const age = open.page.locator('.problems time').first()
  await eventually('the exact time', async () => /\d\d:\d\d:\d\d/.test((await age.getAttribute('title')) ?? ''))
})

it('statuses have a colour as well as a text', async () => {
  await goTo(open.page, '/r/core/v1/pods?ns=default')
  await open.page.locator('.status.good', { hasText: 'Running' }).waitFor()
  await open.page.locator('.status.bad', { hasText: 'Failed' }).waitFor()
  await open.page.locator('.status.warn', { hasText: 'Pending' }).waitFor()
})

it('a row is a link from end to end, and has a menu', async () => {
  const row = open.page.getByRole('row', { name: /calm/ })
  const link = row.getByRole('link')
  assert.match((await link.getAttribute('href')) ?? '', /pods\/default\/calm$/)
  const box = (await row.boundingBox())!
  await open.page.mouse.click(box.x + box.width - 160, box.y + box.height / 2)
  await open.page.getByRole('heading', { name: 'calm' }).waitFor()
  await goTo(open.page, '/r/core/v1/pods?ns=default')
  await open.page.getByRole('button', { name: 'Actions for poor' }).click()
  const menu = open.page.getByRole('menu', { name: 'Actions for poor' })
  assert.equal(await menu.getByRole('menuitem').allTextContents(), [
    'Open',
    'Edit',
    'Timeline',
    'Owners and references',
    'Copy name',
    'Delete…',
  ])
  await menu.getByRole('menuitem', { name: 'Edit' }).click()
  await open.page.getByRole('button', { name: 'Edit' }).waitFor()
})

it('columns are chosen, resized by mouse and keyboard, and remembered', async () => {
  await goTo(open.page, '/r/core/v1/pods?ns=default')
  await open.page.getByRole('button', { name: 'Columns' }).click()
  await open.page.getByRole('checkbox', { name: 'Node', exact: true }).check()
  await open.page.getByRole('checkbox', { name: 'Restarts' }).uncheck()
  await open.page.keyboard.press('Escape')
  const widthOf = async (name: string) =>
    (await open.page.getByRole('columnheader', { name: new RegExp(`^${name}`) }).boundingBox())!.width
  const handle = open.page.getByRole('separator', { name: 'Width of Status' })
  const [before, box] = [await widthOf('Status'), (await handle.boundingBox())!]
  await open.page.mouse.move(box.x + 4, box.y + 8)
  await open.page.mouse.down()
  await open.page.mouse.move(box.x + 64, box.y + 8)
  await open.page.mouse.up()
  assert.is(Math.round(await widthOf('Status')), Math.round(before + 60))
  await handle.focus()
  await open.page.keyboard.press('ArrowRight')
  assert.is(Math.round(await widthOf('Status')), Math.round(before + 76))
  await open.page.reload()
  await open.page.getByRole('columnheader', { name: /^Node/ }).waitFor()
  assert.is(await open.page.getByRole('columnheader', { name: /^Restarts/ }).count(), 0)
  assert.is(Math.round(await widthOf('Status')), Math.round(before + 76))
  assert.equal([...new Set(await edges())].length, 1)
  await open.page.getByRole('button', { name: 'Columns' }).click()
  await open.page.getByRole('button', { name: 'Default columns' }).click()
  await open.page.getByRole('columnheader', { name: /^Restarts/ }).waitFor()
})

it('several rows are deleted after a dry run', async () => {
  await goTo(open.page, '/r/core/v1/configmaps?ns=default')
  for (const name of ['m1', 'm2', 'm4']) await open.page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await open.page.getByText('3 selected').waitFor()
  await open.page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = open.page.getByRole('dialog', { name: 'Delete 3 objects' })
  await dialog.getByText('Dry run: 3 would be deleted, 0 would be rejected.').waitFor()
  await dialog.getByRole('row', { name: 'default/m1 will be deleted' }).waitFor()
  await dialog
    .getByRole('row', { name: /m4 stays in Terminating until its finalizers are removed: example.com\/held/ })
    .waitFor()
  const names = async () =>
    (await at('configmaps').list()).items.map(({ metadata }) => metadata.name).filter(name => /^m\d$/.test(name ?? ''))
  assert.equal(await names(), ['m1', 'm2', 'm3', 'm4', 'm5'])
  await dialog.getByRole('button', { name: 'Delete 3' }).click()
  await dialog.waitFor({ state: 'detached' })
  await open.cell('m1').waitFor({ state: 'detached' })
  await open.page.getByText('Terminating').waitFor()
  assert.equal(await names(), ['m3', 'm4', 'm5'])
})

it('an empty table explains the type and how to create an object', async () => {
  await goTo(open.page, '/r/core/v1/limitranges')
  await open.text('Nothing here yet')
  await open.page.locator('.empty p').first().waitFor()
  await open.page.getByText('orchctl explain limitranges').waitFor()
  await open.page.getByRole('link', { name: 'Create the first LimitRange' }).click()
  await open.page.getByRole('heading', { name: 'New LimitRange' }).waitFor()
})

it('violates no security policy and contacts no other host', () => {
  assert.equal(open.browser.complaints, [])
})

if (chromiumPath) it.run()
else console.log(noBrowser)
