import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isKnownZone, timestampIn } from './time-zones.js'

const zones = suite('time zones')

zones('times are formatted in the zone, with its offset from UTC at that time', () => {
  const winter = Date.parse('2024-01-15T15:00:00Z')
  assert.is(timestampIn('Asia/Tokyo', winter), '2024-01-16T00:00:00+09:00')
  assert.is(timestampIn('Asia/Kolkata', winter), '2024-01-15T20:30:00+05:30')
  assert.is(timestampIn('America/New_York', winter), '2024-01-15T10:00:00-05:00')
  assert.is(timestampIn('America/New_York', Date.parse('2024-07-15T15:00:00Z')), '2024-07-15T11:00:00-04:00')
  for (const zone of ['UTC', 'Europe/London']) assert.is(timestampIn(zone, winter), '2024-01-15T15:00:00Z', zone)
})

zones('names are those of the database, in its spelling', () => {
  for (const zone of ['UTC', 'Europe/Paris', 'US/Pacific', 'Etc/GMT+5']) assert.ok(isKnownZone(zone), zone)
  for (const zone of ['Nowhere/City', 'europe/paris', '+05:30', '-0500']) assert.not(isKnownZone(zone), zone)
})

zones.run()
