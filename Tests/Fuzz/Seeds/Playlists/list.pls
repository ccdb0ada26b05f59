[playlist]
NumberOfEntries=2
File2=b.mp3
Title2=Second
Length2=200
File1=http://a.example/
Length1=-1
Version=2
