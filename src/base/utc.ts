/** A moment as people read it, `2030-12-31 23:59 UTC`: worked out from the number alone, so that the pure core can say it too. */

const DAY_MS = 86_400_000;

export function utcText(timeMs: number): string {
  const days = Math.floor(timeMs / DAY_MS);
  const minutes = Math.floor((timeMs - days * DAY_MS) / 60_000);
  return `${dateText(days)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)} UTC`;
}

/** Days since 1970 as year, month and day. Years begin in March here, so that the odd day is the last of its year. */
function dateText(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const day = shifted - era * 146_097;
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  const ofYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const march = Math.floor((5 * ofYear + 2) / 153);
  const month = march < 10 ? march + 3 : march - 9;
  const ofMonth = ofYear - Math.floor((153 * march + 2) / 5) + 1;
  return `${era * 400 + year + (month <= 2 ? 1 : 0)}-${two(month)}-${two(ofMonth)}`;
}

const two = (number: number): string => String(number).padStart(2, "0");
