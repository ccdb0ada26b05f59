import SegueLibrary
import Testing

/// Words of any script are found, however they are written.
@Suite(.timeLimit(.minutes(1))) struct SearchScriptTests {
  @Test(arguments: [
    // Case, diacritics, letters that Unicode does not take apart.
    ("Beyoncé", "beyonce"), ("Motörhead", "MOTORHEAD"), ("Sigur Rós", "ros sigur"), ("Straße", "strasse"),
    ("Ænima", "aenima"), ("Mø", "mo"), ("Łódź", "lodz"), ("Cafe\u{301}", "café"), ("Ångström", "angstrom"),
    ("ΟΔΥΣΣΕΥΣ", "οδυσσεύς"),
    // Cyrillic: ё and й, also taken apart; beginnings of words.
    ("Ёлка", "елка"), ("Елка", "ёлка"), ("И\u{306}огурт", "йогурт"), ("Йогурт", "и\u{306}ог"), ("ЗВЕЗДА", "звез"),
    // In Latin letters.
    ("Кино", "kino"), ("Цой", "tsoy"), ("Цой", "tsoi"), ("Цой", "coj"), ("Юлия", "yulia"), ("Юлия", "julija"),
    ("Юлия", "iuliia"), ("Хор", "khor"), ("Хор", "hor"), ("Хор", "xor"), ("Щука", "shchuka"), ("Щука", "schuka"),
    ("Тролль", "troll"), ("Мумий", "mumiy"), ("Алёна", "alena"), ("Алёна", "alyona"), ("Виктор", "viktor"),
    ("Виктор", "victor"), ("Группа крови", "gruppa kro"), ("Егор", "yegor"), ("Жуки", "zhuki"), ("Ксения", "xenia"),
    // And the other way round.
    ("Kino", "кино"), ("Tsoi", "цой"), ("Tsoy", "цой"), ("Yulia", "юлия"), ("Metallica", "металлика"),
    ("Alex", "алекс"),
    ("Київ", "kiiv"), ("Кіно", "кино"),
    // No spaces between words.
    ("東京事変", "東京"), ("東京事変", "事変"), ("東京事変", "京事"), ("かな", "カナ"), ("カナ", "ｶﾅ"), ("ガンダム", "ｶﾞﾝﾀﾞﾑ"),
    ("방탄소년단", "소년"), ("Ｆｕｌｌ１２", "full12"), ("เพลงรัก", "รัก"),
    // From the right to the left; vowel points and elongation.
    ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"), ("أحمد", "احمد"), ("فيروز", "فير"), ("مـحـمـد", "محمد"),
    ("हिन्दी", "हिन्दी"),
    // Pictures and signs.
    ("I ❤️ NY", "❤"), ("🔥🔥 hot", "🔥"), ("👨‍👩‍👧 family", "👩"), ("!!!", "!!!"), ("÷", "÷"), ("?", "?"),
    // What punctuation parts.
    ("Don't Stop", "dont"), ("Don’t Stop", "don't stop"), ("AC/DC", "acdc"), ("ACDC", "ac/dc"), ("R.E.M.", "rem"),
    ("Jay-Z", "jayz"), ("Hip-Hop", "hip hop"), ("Хип-хоп", "hip-hop"), ("P!nk", "p!nk"), ("50 Cent", "50"),
  ])
  func isFound(title: String, query: String) async throws {
    let stage = try await SearchFixture(titles: [title, "Something else"])
    #expect(try await stage.titles(query) == [title])
    // Alone it has nothing in common with the other.
    #expect(try await stage.titles("something") == ["Something else"])
  }

  @Test(arguments: [
    ("Кино", "kina"), ("東京", "京東"), ("Love", "lovely"), ("Мать", "матч"), ("Don't", "stop"), ("Чай", "цай"),
    ("Rock", "ock"),
  ])
  func isNotFound(title: String, query: String) async throws {
    let stage = try await SearchFixture(titles: [title])
    let found = try await stage.search("\"\(query)\"")
    #expect(found.ids.isEmpty)
  }

  @Test func namesThatAreNoTextAreFoundByTheirFiles() async throws {
    let stage = try await SearchFixture([SearchFixture.Track(title: nil, artist: "Кино")])
    #expect(try await stage.search("0").total == 1)
    #expect(try await stage.search("kino").total == 1)
  }
}
