"""Detects clicks and tones in a recording (Tests/Fixtures/README.md)."""

import array
import math
import wave


class Recording:
    """The first channel of a 16-bit WAVE file; sample n is the instant n / rate of the player's clock."""

    def __init__(self, path):
        with wave.open(str(path)) as file:
            if file.getsampwidth() != 2:
                raise ValueError(f"{path} is not in 16 bits")
            self.rate = file.getframerate()
            samples = array.array("h", file.readframes(file.getnframes()))
            self.samples = samples[:: file.getnchannels()]

    def click(self, near, reach=0.25):
        """The instant of the first sample beyond 0.3 of full scale around an instant; None if there is none."""
        first = max(0, round((near - reach) * self.rate))
        for index in range(first, min(len(self.samples), round((near + reach) * self.rate))):
            if abs(self.samples[index]) > 0.3 * 32768:
                return index / self.rate
        return None

    def tone(self, start, seconds, tones):
        """(tone with most of the energy, its share) of a section; (None, 0) when the section is silent."""
        part = self.samples[round(start * self.rate) : round((start + seconds) * self.rate)]
        energy = sum(sample * sample for sample in part)
        if len(part) == 0 or energy / len(part) < 100 * 100:
            return None, 0.0
        shares = {hertz: self.share(part, hertz) / energy for hertz in tones}
        best = max(shares, key=shares.get)
        return best, shares[best]

    def share(self, part, hertz):
        """Goertzel's algorithm: the energy at one frequency."""
        turn = 2 * math.cos(2 * math.pi * hertz / self.rate)
        before = last = 0.0
        for sample in part:
            before, last = last, sample + turn * last - before
        return 2 * (before * before + last * last - turn * before * last) / len(part)


def deviations(values, outside):
    """(mean, low, high), where the share `outside` of the values may lie below low, and as many above high."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return sum(ordered) / len(ordered), ordered[math.floor(last * outside)], ordered[math.ceil(last * (1 - outside))]
